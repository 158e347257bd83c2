import { z } from 'zod'
import { fetchJson } from '../http/fetch-json.ts'
import { makeKnownGoodPayment } from '../payments/facilitator/known-good-payment.ts'
import { toRequirements } from '../payments/wire/requirements.ts'
import type { Check } from './check.ts'

const deadlineMs = 10_000
const maxAnswerBytes = 64 * 1024
/** What is asked about: a cent, for five minutes. */
const terms = { amount: 10_000n, seconds: 300 }

const verifyAnswer = z.object({ isValid: z.boolean() })

interface Options {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly wallet: { readonly payTo: string; readonly asset: string }
}

/**
 * Whether a facilitator judges payments for this shop: many tell everybody what they support, and only whom they know
 * what a payment is worth. It is asked about one that is signed well by a wallet that holds nothing.
 */
export function makeVerificationCheck({ url, headers, wallet }: Options): Check {
  return {
    name: 'verification',
    everyMs: 15 * 60_000,
    async run() {
      const required = toRequirements(wallet, terms.amount, terms.seconds)
      const paymentPayload = await makeKnownGoodPayment(required)
      const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: required })
      const answer = await fetchJson(`${url}/verify`, {
        ...{ method: 'POST', body, headers },
        ...{ deadlineMs, maxBytes: maxAnswerBytes },
      }).catch(() => undefined)
      if (answer && verifyAnswer.safeParse(answer.json).success)
        return { is: 'ok', sentence: 'The payment facilitator judges payments for this shop.' }
      const how = answer ? `answers HTTP ${answer.status} without a verdict` : 'gives no answer'
      return {
        is: 'failure',
        sentence: `The payment facilitator judges no payment, so nothing can be sold: it ${how}.`,
        advice: 'Check FACILITATOR_HEADERS; if they are right, ask who runs it.',
      }
    },
  }
}
