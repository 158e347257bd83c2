import { z } from 'zod'
import { frameOrder, redeemOrder, shoutOrder } from '../../game-server/protocol/store-orders.ts'
import { playerNamePattern } from '../core/player-name.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import { bodyProblems } from './parameters.ts'
import type { Sent } from './route.ts'

/** The fields that orders of all products of the store have; each product has a schema of its own. */
const unlockOrder = z.object({
  ...redeemOrder.pick({ sku: true }).shape,
  playerName: z.string().regex(playerNamePattern).describe('Compared without case'),
})
const ada = { playerName: 'Ada', resumeToken: 'rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }

const order = (schema: z.ZodType, example: Sent['example'], ...problems: readonly ProblemKind[]) => ({
  body: { schema, example },
  problems: [...bodyProblems, ...problems],
})

/** Request bodies and problems of the operations of the store and the wall. */
export const unlocking = order(unlockOrder, { sku: 'tip_3', playerName: 'Ada' }, 'unknown-sku')
export const redeeming = order(
  redeemOrder,
  { ...ada, sku: 'death_frames_pro' },
  ...(['unknown-sku', 'wrong-token', 'insufficient-credits', 'not-redeemable'] as const),
)
export const framing = order(frameOrder, { ...ada, frame: 'frame_gold' }, 'wrong-token')
export const shouting = order(shoutOrder, { ...ada, text: 'Mind the eel.' }, 'wrong-token')
