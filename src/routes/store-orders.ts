import { z } from 'zod'
import { frameOrder, redeemOrder, shoutOrder } from '../../game-server/protocol/store-orders.ts'
import { playerNamePattern } from '../core/player-name.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import { bodyProblems } from './parameters.ts'
import type { Sent } from './route.ts'

/** Each product of the store takes only its own; this is what they have in common. */
const unlockOrder = z.object({
  ...redeemOrder.pick({ sku: true }).shape,
  playerName: z.string().regex(playerNamePattern).describe('Compared without case'),
})
const ada = { playerName: 'Ada', resumeToken: 'rt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }

const order = (schema: z.ZodType, example: Sent['example'], ...problems: readonly ProblemKind[]) => ({
  body: { schema, example },
  problems: [...bodyProblems, ...problems],
})

/** What the operations of the store and the wall are sent, and what is refused there. */
export const unlocking = order(unlockOrder, { sku: 'tip_3', playerName: 'Ada' }, 'unknown-sku')
export const redeeming = order(
  redeemOrder,
  { ...ada, sku: 'death_frames_pro' },
  ...(['unknown-sku', 'wrong-token', 'insufficient-credits', 'not-redeemable'] as const),
)
export const framing = order(frameOrder, { ...ada, frame: 'frame_gold' }, 'wrong-token')
export const shouting = order(shoutOrder, { ...ada, text: 'Mind the eel.' }, 'wrong-token')
