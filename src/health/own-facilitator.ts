import { z } from 'zod'
import { fetchJson } from '../http/fetch-json.ts'

const deadlineMs = 5_000
const maxAnswerBytes = 16 * 1024

const standingSchema = z.object({
  settling: z.boolean(),
  /** Transactions without a block yet. */
  waiting: z.number().optional(),
  gas: z.object({ settlementsLeft: z.number(), isLow: z.boolean() }).optional(),
})

/** The state of our own facilitator; `gas` is absent when the chain does not respond to it. */
export type OwnStanding = z.output<typeof standingSchema>

/** Requests the state of a facilitator of this installation; undefined when it does not respond. */
export const askOwnFacilitator =
  (url: string): (() => Promise<OwnStanding | undefined>) =>
  async () => {
    const answer = await fetchJson(`${url}/health`, { deadlineMs, maxBytes: maxAnswerBytes }).catch(() => undefined)
    return answer && standingSchema.safeParse(answer.json).data
  }
