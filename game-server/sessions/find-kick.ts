import type { Moderation } from '../moderation/moderation.ts'
import type { Refusal } from '../protocol/dungeon.ts'
import { refuse } from './press-key.ts'

/** The refusal of an account that the operator has sent away, for as long as that lasts. */
export const makeFindKick =
  (moderation: Pick<Moderation, 'remaining'>) =>
  (account: string): Refusal | undefined => {
    const retryAfterMs = moderation.remaining('kick', account)
    if (retryAfterMs === 0) return undefined
    return refuse('kicked', 'the operator sent this player away for a while', { retryAfterMs })
  }

export type FindKick = ReturnType<typeof makeFindKick>
