import { canonicalJson } from '../core/canonical-json.ts'
import { Problem } from '../core/problem.ts'
import { sha256 } from '../core/sha256.ts'
import type { Make } from '../offers/make.ts'
import { advertisedPrice, type Offer, priceOf } from '../offers/offer.ts'
import type { Trace } from '../tracing/trace.ts'
import { type Asking, blocked } from './block-list.ts'
import { type Complete, type DeliverDeps, type Delivered, deliver } from './deliver.ts'
import type { Outcome, PurchaseRequest } from './purchase/outcome.ts'
import type { Input } from './read-input.ts'
import { type ChallengeFacts, type Wording, wrongVersion } from './wire/challenge.ts'
import type { Payment } from './wire/payment.ts'
import type { Unsettled } from './wire/payment-response.ts'

export interface SellDeps extends DeliverDeps {
  /** Everything between valid input and an outcome, from `makeBuy`. */
  buy: (request: PurchaseRequest) => Promise<Outcome>
  report: (error: unknown) => void
  trace: Trace
  /** Whether the operator sells nothing to whoever asks. */
  isBlocked: (asking: Asking) => boolean
}

/** What is sold, and how it is made; `make` is undefined while a product is declared but not built. */
export interface Listing {
  offer: Offer
  make: Make | undefined
  /** Finishes a product on its way out. */
  complete: Complete | undefined
}

/** A request, whichever transport brought it. */
export interface ParsedRequest {
  input: Input
  /** `outdated`: as version 1 of x402 paid. */
  payment: Payment | 'absent' | 'unreadable' | 'outdated'
  /** Whether there was something to judge: who only asks the price is not told what is wrong with nothing. */
  hasInput: boolean
  /** Aborted when the buyer's connection is gone. */
  gone: AbortSignal
  /** The address that asks, as limits count it; undefined when nobody told. */
  caller: string | undefined
  /** As the answer and the log name it; undefined when nobody named it. */
  requestId: string | undefined
}

/** What a request came to. Transports only translate it. */
export type Answer =
  | { is: 'delivered'; delivered: Delivered }
  /** No money can have moved for this request. `unsettled`: because settlement itself was refused. */
  | { is: 'challenge'; facts: ChallengeFacts; unsettled?: Unsettled }
  /** `unsettled`: because nobody knows yet. */
  | { is: 'problem'; problem: Problem; unsettled?: Unsettled }

/**
 * Sells one product to one request: the same purchase, whichever transport the request came by, because a purchase is
 * its payment and the validated input, and neither knows how it travelled.
 */
export function makeSell(deps: SellDeps, { resend, proof }: Wording) {
  const prove = `This payment was charged, and by now anybody can read it on the chain. ${proof}`
  return async (
    { offer, make, complete }: Listing,
    { input, payment, hasInput, gone, caller, requestId }: ParsedRequest,
  ): Promise<Answer> => {
    // Who sends a payment may have paid before; that is looked up first.
    if (typeof payment === 'string' && deps.isBlocked({ caller })) return { is: 'problem', problem: blocked() }
    const price = input.is === 'valid' ? priceOf(offer, input.value) : advertisedPrice(offer)
    if (payment === 'absent') {
      const errors = input.is === 'refused' && hasInput ? input.errors : undefined
      return { is: 'challenge', facts: { offer, price, reason: 'payment_required', ...(errors && { errors }) } }
    }
    if (payment === 'outdated') return { is: 'challenge', facts: { offer, price, reason: wrongVersion } }
    if (payment === 'unreadable') return { is: 'challenge', facts: { offer, price, reason: 'invalid_payload' } }
    if (input.is === 'refused') return { is: 'problem', problem: toRefusal(input) }

    const outcome = await deps.buy({
      offer,
      price,
      path: offer.path,
      fingerprint: sha256(offer.id, canonicalJson(input.value)),
      payment,
      make: make && ((signal, paymentKey) => make(input.value, signal, paymentKey)),
      gone,
      caller,
      requestId,
    })
    const { payer } = payment
    switch (outcome.is) {
      case 'bought':
        try {
          return await deps.trace('deliver', { 'farthing.product': offer.id }, async (span) => {
            const delivered = await deliver(deps, { ...outcome, complete })
            span.know({
              'farthing.receipt': delivered.receipt?.id,
              'farthing.transaction': delivered.settled.transaction,
            })
            return { is: 'delivered', delivered }
          })
        } catch (error) {
          deps.report(error)
          const detail = `You have paid for this and it is stored for you, but it cannot be read just now. ${resend}`
          return { is: 'problem', problem: new Problem('busy', { charged: true, retryAfterSeconds: 5, detail }) }
        }
      case 'unmatched':
        return { is: 'problem', problem: new Problem('payment-unmatched', { charged: true }) }
      case 'over':
        return { is: 'problem', problem: new Problem('already-delivered', { charged: true }) }
      case 'unproven':
        return { is: 'problem', problem: new Problem('wallet-proof-required', { charged: true, detail: prove }) }
      case 'challenge': {
        const { reason, settling } = outcome
        const facts = { offer, price, reason }
        return { is: 'challenge', facts, ...(settling && { unsettled: { payer, errorReason: reason } }) }
      }
      case 'in-progress':
        return {
          is: 'problem',
          problem: new Problem('payment-in-progress', { charged: 'unknown', retryAfterSeconds: 1 }),
        }
      case 'pending': {
        const detail = `Whether the payment settled is not known yet. ${resend}`
        return {
          is: 'problem',
          problem: new Problem('settlement-unknown', { charged: 'unknown', retryAfterSeconds: 3, detail }),
          unsettled: { payer, errorReason: 'settlement_pending' },
        }
      }
      case 'refused':
        return { is: 'problem', problem: outcome.problem }
    }
  }
}

function toRefusal(input: Extract<Input, { is: 'refused' }>): Problem {
  const count = input.errors.length === 1 ? '1 thing is' : `${input.errors.length} things are`
  const detail = `${count} wrong with the request: ${input.errors[0]?.detail ?? ''}; nothing was charged and the same signature stays valid`
  return new Problem(input.kind, { charged: false, errors: input.errors, detail })
}
