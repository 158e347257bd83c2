import { z } from 'zod'
import { listLimit } from '../../src/core/list-limit.ts'
import { playerNamePattern } from '../../src/core/player-name.ts'

/** The period that a leaderboard covers. */
export const boardSchema = z.enum(['all', 'month', 'daily'])

/** The query parameters of `/api/deaths`. */
export const deathsQuery = z.object({ limit: listLimit(100, 20) })

/** The query parameters of `/api/leaderboard`. */
export const boardQuery = z.object({
  board: boardSchema.default('all').describe("All time, this month, or today's dungeon"),
  limit: listLimit(100, 20),
})

/** The query parameters of `/api/store/entitlements`. */
export const playerQuery = z.object({
  player: z
    .string('is needed: the name of a player')
    .regex(playerNamePattern, 'is not a possible name of a player')
    .meta({ description: 'Name of the player', example: 'Ada' }),
})
