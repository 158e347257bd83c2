import { z } from 'zod'
import { network } from '../core/chain-constants.ts'
import type { Finding } from '../core/finding.ts'
import { fetchJson, UpstreamError } from '../http/fetch-json.ts'
import type { Check } from './check.ts'

const deadlineMs = 8_000
const maxAnswerBytes = 64 * 1024

const supportedAnswer = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })),
})

interface Options {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Whether the facilitator answers, and settles our scheme on our network (x402 v2, `/supported`). */
export function makeFacilitatorCheck({ url, headers }: Options): Check {
  return {
    name: 'facilitator',
    everyMs: 30_000,
    async run() {
      try {
        const { status, json } = await fetchJson(`${url}/supported`, { headers, deadlineMs, maxBytes: maxAnswerBytes })
        const read = supportedAnswer.safeParse(json)
        if (status >= 400 || !read.success) return toRefusal(status)
        const isOurs = read.data.kinds.some(
          (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
        )
        if (isOurs) return { is: 'ok', sentence: 'The payment facilitator answers, and settles on our network.' }
        return {
          is: 'failure',
          sentence: `The payment facilitator does not settle exact payments on ${network} by x402 version 2.`,
          advice: 'Set FACILITATOR_URL to one for Base mainnet.',
        }
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        return error.status === undefined ? toSilence(error) : toRefusal(error.status)
      }
    },
  }
}

function toRefusal(status: number): Finding {
  if (status === 401 || status === 403)
    return {
      is: 'failure',
      sentence: `The payment facilitator refuses this shop (HTTP ${status}), so nothing can be sold.`,
      advice: 'Check FACILITATOR_HEADERS.',
    }
  const sentence = `The payment facilitator answers HTTP ${status} in a form that no facilitator has, so nothing can be sold.`
  return { is: 'failure', sentence, advice: 'Check FACILITATOR_URL with its path.' }
}

function toSilence({ cause }: UpstreamError): Finding {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError'
  return {
    is: 'failure',
    sentence: `The payment facilitator does not answer, so nothing can be sold just now: it ${isLate ? `gives no answer within ${deadlineMs / 1000} seconds` : 'cannot be reached'}.`,
  }
}
