import { z } from 'zod'
import { listLimit } from '../../src/core/list-limit.ts'
import { playerNamePattern } from '../../src/core/player-name.ts'

/** Over what time a leaderboard is kept. */
export const boardSchema = z.enum(['all', 'month', 'daily'])

/** What `/api/deaths` may be asked with. */
export const deathsQuery = z.object({ limit: listLimit(100, 20) })

/** What `/api/leaderboard` may be asked with. */
export const boardQuery = z.object({
  board: boardSchema.default('all').describe("All time, this month, or today's dungeon"),
  limit: listLimit(100, 20),
})

/** What `/api/store/entitlements` must be asked with. */
export const playerQuery = z.object({
  player: z
    .string('is needed: the name of a player')
    .regex(playerNamePattern, 'is not a possible name of a player')
    .meta({ description: 'Name of the player', example: 'Ada' }),
})
