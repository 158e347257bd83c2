import { z } from 'zod'
import { UpstreamError } from '../http/fetch-json.ts'
import { askFacilitator } from '../payments/facilitator/ask-facilitator.ts'
import { makeKnownGoodPayment } from '../payments/facilitator/known-good-payment.ts'
import { toRequirements } from '../payments/wire/requirements.ts'
import type { Check } from './check.ts'
import { type LookedAt, refusalAdvice, toPartName, toSubject } from './looked-at-facilitator.ts'

const deadlineMs = 10_000
/** Terms of the payment that is verified: one cent (micro-USD), valid for five minutes. */
const terms = { amount: 10_000n, seconds: 300 }

const verifyAnswer = z.object({ isValid: z.boolean() })

interface Options extends LookedAt {
  readonly wallet: { readonly network: string; readonly payTo: string; readonly asset: string }
}

/**
 * Checks that a facilitator verifies payments for this shop: many tell everybody what they support, but verify payments
 * only for known customers. The payment has a valid signature of a wallet without money.
 */
export function makeVerificationCheck({ wallet, ...facilitator }: Options): Check {
  const { who, so } = toSubject(facilitator)
  return {
    name: toPartName('verification', facilitator),
    everyMs: 15 * 60_000,
    async run() {
      const required = toRequirements(wallet, terms.amount, terms.seconds)
      const paymentPayload = await makeKnownGoodPayment(required)
      const asked = { paymentPayload, paymentRequirements: required }
      const answer = await askFacilitator(facilitator, 'verify', deadlineMs, asked).catch(toUnread)
      if (verifyAnswer.safeParse(answer.json).success)
        return { is: 'ok', sentence: `${who} verifies payments for this shop.` }
      const how = answer.status === undefined ? 'gives no answer' : `answers HTTP ${answer.status} without a verdict`
      return {
        is: 'failure',
        sentence: `${who} does not verify payments${so(', so nothing can be sold')}: it ${how}.`,
        advice: `${refusalAdvice(facilitator)} If that is right, ask its operator.`,
      }
    },
  }
}

/** For a response that is no JSON, the status is the most useful information. */
const toUnread = (error: unknown) => ({
  status: error instanceof UpstreamError ? error.status : undefined,
  json: undefined,
})
