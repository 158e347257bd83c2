import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { fetchJson } from '../http/fetch-json.ts'

const deadlineMs = 5_000
const maxAnswerBytes = 16 * 1024

const health = z.object({
  settling: z.boolean(),
  /** Transactions without a block yet. */
  waiting: z.number().optional(),
  gas: z.object({ settlementsLeft: z.number(), isLow: z.boolean() }).optional(),
})

/** How a facilitator of our own stands; `gas` is absent when the chain does not tell. */
export type OwnFacilitatorHealth = z.output<typeof health>

/**
 * Asks the facilitator of this installation how it stands. Somebody else's has no gas wallet of ours: undefined then.
 */
export function makeOwnFacilitatorCheck(
  facilitator: Config['facilitator'],
): (() => Promise<OwnFacilitatorHealth | undefined>) | undefined {
  if (facilitator.is === 'remote') return undefined
  return async () => {
    const answer = await fetchJson(`${facilitator.url}/health`, { deadlineMs, maxBytes: maxAnswerBytes }).catch(() => ({
      json: { settling: false },
    }))
    return health.safeParse(answer.json).data
  }
}
