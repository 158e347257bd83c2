import type { Finding } from '../core/finding.ts'
import { base } from '../core/networks.ts'
import { UpstreamError } from '../http/fetch-json.ts'
import { askFacilitator } from '../payments/facilitator/ask-facilitator.ts'
import { settlesOurs } from '../payments/facilitator/supported.ts'
import type { Check } from './check.ts'
import { type LookedAt, refusalAdvice, toFullName, toPartName, toSubject } from './looked-at-facilitator.ts'

const deadlineMs = 8_000

/** Checks that the facilitator responds, and settles our scheme on our network (x402 v2, `/supported`). */
export function makeFacilitatorCheck(facilitator: LookedAt): Check {
  const { who, so } = toSubject(facilitator)
  const { network = base } = facilitator
  return {
    name: toPartName('facilitator', facilitator),
    everyMs: 30_000,
    async run() {
      try {
        const answer = await askFacilitator(facilitator, 'supported', deadlineMs)
        const isOurs = settlesOurs(answer, network.id)
        if (isOurs === undefined) return toRefusal(facilitator, answer.status)
        if (isOurs) return { is: 'ok', sentence: `${who} answers, and settles on our network.` }
        return {
          is: 'failure',
          sentence: `${who} does not settle exact payments on ${network.id} by x402 version 2${so('')}.`,
          advice: `Set FACILITATOR_URL to one for ${toFullName(network)}.`,
        }
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        return error.status === undefined ? toSilence(facilitator, error) : toRefusal(facilitator, error.status)
      }
    },
  }
}

function toRefusal(facilitator: LookedAt, status: number): Finding {
  const { who, so } = toSubject(facilitator)
  if (status === 401 || status === 403)
    return {
      is: 'failure',
      sentence: `${who} refuses this shop (HTTP ${status})${so(', so nothing can be sold')}.`,
      advice: refusalAdvice(facilitator),
    }
  const sentence = `${who} answers HTTP ${status} in a form that no facilitator uses${so(', so nothing can be sold')}.`
  return { is: 'failure', sentence, advice: 'Check FACILITATOR_URL with its path.' }
}

function toSilence(facilitator: LookedAt, { cause }: UpstreamError): Finding {
  const { who, so } = toSubject(facilitator)
  const isLate = cause instanceof Error && cause.name === 'TimeoutError'
  return {
    is: 'failure',
    sentence: `${who} does not answer${so(', so nothing can be sold just now')}: ${isLate ? `no answer within ${deadlineMs / 1000} seconds` : 'it cannot be reached'}.`,
  }
}
