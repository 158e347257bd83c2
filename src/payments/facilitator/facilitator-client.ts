import { z } from 'zod'
import type { Payment, Requirements } from '../wire/payment.ts'
import { askFacilitator } from './ask-facilitator.ts'
import type { BreakerWord, CircuitBreaker } from './circuit-breaker.ts'
import { makeKnownGoodPayment } from './known-good-payment.ts'
import type { FacilitatorAddress } from './sign-request.ts'
import { isTurnedAway, wasUnsent } from './was-unsent.ts'

const verifyDeadlineMs = 10_000
const settleDeadlineMs = 30_000
/** For the probe whether the facilitator is down, which a buyer waits for. */
const lookDeadlineMs = 3000

/** What a facilitator says of a signature. */
export type Verdict = { is: 'valid' } | { is: 'invalid'; reason: string } | { is: 'unavailable'; cause: unknown }

/** What a facilitator says of a settlement. It is not believed: the chain is asked whether money moved. */
export type SettleAnswer =
  | { is: 'claimed'; transaction: string }
  | { is: 'refused'; reason: string }
  /** The request did not reach it, or was rejected unprocessed: nothing was sent to the chain. */
  | { is: 'unsent'; cause: unknown }
  | { is: 'unknown'; cause: unknown }

/** The service that verifies signatures and pays the gas (x402 v2, facilitator API), trusted as little as possible. */
export interface Facilitator {
  verify(payment: Payment, terms: Requirements): Promise<Verdict>
  settle(payment: Payment, terms: Requirements): Promise<SettleAnswer>
  /** Milliseconds until it may be asked again after failures; 0 when it may be asked now. */
  restLeftMs(): number
}

const verifyAnswer = z.object({ isValid: z.boolean(), invalidReason: z.string().optional() })
const settleAnswer = z.object({
  success: z.boolean(),
  errorReason: z.string().optional(),
  payer: z.string().optional(),
  transaction: z.string().optional(),
  network: z.string().optional(),
})

/**
 * The reason code for the buyer. Text that does not have the form of a code is replaced, because buyers would see it.
 */
const toReason = (reason: string | undefined, otherwise: string): string =>
  reason !== undefined && /^[a-z][a-z0-9_]{2,79}$/.test(reason) ? reason : otherwise

export interface FacilitatorOptions extends FacilitatorAddress {
  breaker: CircuitBreaker
  /** Subscribes to what other programs report of the same facilitator, where there are any. */
  onWord?: ((listener: (word: BreakerWord) => void) => void) | undefined
  /** Overrides for tests, in milliseconds. */
  deadlines?: { verifyMs: number; settleMs: number } | undefined
}

/** A facilitator over HTTP, with deadlines, a limit on response bytes, no redirects and a circuit breaker. */
export function makeFacilitatorClient({ breaker, onWord, deadlines, ...address }: FacilitatorOptions): Facilitator {
  /** The terms of the last payment that it was asked about, to probe it with. */
  let lastTerms: Requirements | undefined
  const ask = async (operation: 'verify' | 'settle', { payload }: Payment, terms: Requirements) => {
    lastTerms = terms
    const deadlineMs =
      operation === 'verify' ? (deadlines?.verifyMs ?? verifyDeadlineMs) : (deadlines?.settleMs ?? settleDeadlineMs)
    try {
      const asked = { paymentPayload: payload, paymentRequirements: terms }
      return await askFacilitator(address, operation, deadlineMs, asked)
    } catch (cause) {
      await failed(terms)
      throw cause
    }
  }

  /** Probes whether it answers `verify` for a payment that was not made by a buyer. */
  const isUp = async (terms: Requirements): Promise<boolean> => {
    try {
      const paymentPayload = await makeKnownGoodPayment(terms)
      const asked = { paymentPayload, paymentRequirements: terms }
      const deadlineMs = Math.min(lookDeadlineMs, deadlines?.verifyMs ?? lookDeadlineMs)
      const { json } = await askFacilitator(address, 'verify', deadlineMs, asked)
      return verifyAnswer.safeParse(json).success
    } catch {
      // An error means that it is down.
      return false
    }
  }
  const failed = (terms: Requirements): Promise<void> => breaker.failed(() => isUp(terms))
  onWord?.((word) => {
    const terms = lastTerms
    void breaker.hear(word, terms && (() => isUp(terms)))
  })

  return {
    async verify(payment, terms) {
      try {
        const { json, status } = await ask('verify', payment, terms)
        const read = verifyAnswer.safeParse(json)
        if (!read.success) {
          await failed(terms)
          return { is: 'unavailable', cause: `verify answered ${status} in a form we do not know` }
        }
        breaker.succeeded()
        return read.data.isValid
          ? { is: 'valid' }
          : { is: 'invalid', reason: toReason(read.data.invalidReason, 'invalid_payment') }
      } catch (cause) {
        return { is: 'unavailable', cause }
      }
    },

    async settle(payment, terms) {
      try {
        const { json, status } = await ask('settle', payment, terms)
        const read = settleAnswer.safeParse(json)
        if (!read.success) {
          await failed(terms)
          const cause = `settle answered ${status} in a form we do not know`
          return { is: isTurnedAway(status) ? 'unsent' : 'unknown', cause }
        }
        const { success, errorReason, payer, transaction = '', network } = read.data
        if (!success) return { is: 'refused', reason: toReason(errorReason, 'settlement_failed') }
        const isOurs =
          /^0x[0-9a-fA-F]{64}$/.test(transaction) &&
          network === terms.network &&
          (payer === undefined || payer.toLowerCase() === payment.payer)
        if (!isOurs)
          return { is: 'unknown', cause: 'settle claimed success for another network, payer or no transaction' }
        breaker.succeeded()
        return { is: 'claimed', transaction: transaction.toLowerCase() }
      } catch (cause) {
        return { is: wasUnsent(cause) ? 'unsent' : 'unknown', cause }
      }
    },

    restLeftMs: breaker.restLeftMs,
  }
}
