import { z } from 'zod'
import { playerNamePattern } from '../../core/player-name.ts'
import type { ProblemKind } from '../../core/problem-kinds.ts'
import { bodyProblems } from '../parameters.ts'
import type { Sent } from '../route.ts'

const playerName = z.string().regex(playerNamePattern).describe('Compared without case')
const sku = z.string().describe('Of GET /api/store')
const proof = {
  playerName,
  resumeToken: z.string().max(128).describe('What the game sent when the name was first used'),
}
const ada = { playerName: 'Ada', resumeToken: 'rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }

const order = (schema: z.ZodType, example: Sent['example'], ...problems: readonly ProblemKind[]) => ({
  body: { schema, example },
  problems: [...bodyProblems, ...problems],
})

/** What the operations of the store and the wall are sent, and what is refused there. */
export const storeOrders = {
  unlock: order(z.object({ sku, playerName }), { sku: 'tip_3', playerName: 'Ada' }, 'unknown-sku'),
  redeem: order(
    z.object({ ...proof, sku }),
    { ...ada, sku: 'death_frames_pro' },
    'unknown-sku',
    'wrong-token',
    'insufficient-credits',
    'not-redeemable',
  ),
  frame: order(z.object({ ...proof, frame: z.string() }), { ...ada, frame: 'frame_gold' }, 'wrong-token'),
  shout: order(
    z.object({ ...proof, text: z.string().regex(/^[\x20-\x7e]{1,60}$/) }),
    { ...ada, text: 'Mind the eel.' },
    'wrong-token',
  ),
}
