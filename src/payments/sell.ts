import { base, findNetwork } from '../core/networks.ts'
import { type InputError, Problem } from '../core/problem.ts'
import { toFingerprint } from '../offers/fingerprint.ts'
import type { Make } from '../offers/make.ts'
import { advertisedPrice, isLasting, type Offer, priceOf } from '../offers/offer.ts'
import type { Trace } from '../tracing/trace.ts'
import { type Asking, blocked } from './block-list.ts'
import { type Complete, type DeliverDeps, type Delivered, type Delivery, deliver } from './deliver.ts'
import type { PaymentRow } from './ledger/payment-row.ts'
import { type Outcome, type PurchaseRequest, refused } from './purchase/outcome.ts'
import type { Asked, Unowned } from './purchase/own.ts'
import type { Input } from './read-input.ts'
import { type RefuseDeps, refuseInput, refuseUnasked } from './refused-input.ts'
import type { CheckSignIn, SignIn } from './sign-in/check-sign-in.ts'
import { type ChallengeFacts, type OwnedVersion, type Wording, wrongVersion } from './wire/challenge.ts'
import type { Payment } from './wire/payment.ts'
import type { Unsettled } from './wire/payment-response.ts'

export interface SellDeps extends DeliverDeps, Omit<RefuseDeps, 'ledger'> {
  /** Runs the purchase of a request with valid input to its outcome, from `makeBuy`. */
  buy: (request: PurchaseRequest) => Promise<Outcome>
  /**
   * Continues an earlier purchase by the same request, whose input is refused by now, perhaps since an upgrade;
   * undefined when there is none.
   */
  fetchSent: (request: Omit<PurchaseRequest, 'fingerprint' | 'make'>) => Promise<Outcome | undefined>
  /** Whether a wallet that signed in owns the requested product. */
  showOwned: (asked: Asked, wallet: string) => Promise<Outcome | Unowned>
  checkSignIn: CheckSignIn
  trace: Trace
  /** Whether the operator has blocked this address or wallet. */
  isBlocked: (asking: Asking) => boolean
  now: () => number
}

/** A product for sale and its maker; `make` is undefined while a product is declared but not built. */
export interface Listing {
  offer: Offer
  make: Make | undefined
  /** Completes the product at delivery. */
  complete: Complete | undefined
}

type Valid = Extract<Input, { is: 'valid' }>
type Refused = Extract<Input, { is: 'refused' }>
type Resent = Omit<PurchaseRequest, 'fingerprint' | 'make' | 'offer' | 'sent'>

/** A request, whichever transport brought it. */
export interface ParsedRequest {
  input: Input
  /** `outdated`: paid as in x402 version 1. */
  payment: Payment | 'absent' | 'unreadable' | 'outdated'
  /** A message signed by a wallet, to prove that the product is its own. */
  signIn?: SignIn | undefined
  /** Whether any input was sent. A request without any only asks the price, and no errors are listed in its 402. */
  hasInput: boolean
  /** Aborted when the buyer's connection is gone. */
  gone: AbortSignal
  /** The address of the request, as rate limits count it; undefined when it is not known. */
  caller: string | undefined
  /** The id that the response and the log give the request; undefined when it has none. */
  requestId: string | undefined
}

/** The answer to a request. Transports only translate it. */
export type Answer =
  | { is: 'delivered'; delivered: Delivered }
  /** A 402: no money can have moved for this request. `unsettled` is present when settlement itself was refused. */
  | { is: 'challenge'; facts: ChallengeFacts; unsettled?: Unsettled }
  /** `unsettled` is present when it is not known yet whether the payment settled. */
  | { is: 'problem'; problem: Problem; unsettled?: Unsettled }

/**
 * Sells one product to one request. A purchase consists of its payment and the validated input and does not depend on
 * the transport, so a purchase that began over one transport can be continued over another.
 */
export function makeSell(deps: SellDeps, { resend, proof }: Wording) {
  const prove = `This payment was charged, and by now anybody can read it on the chain. ${proof}`
  const toOwned = async (row: PaymentRow): Promise<OwnedVersion> => {
    const receipt = await deps.receipts.findByPayment(row.key)
    return { version: row.version, ...(receipt && { receiptId: receipt.id, boughtAt: receipt.settledAt }) }
  }
  const handOver = async ({ id }: Offer, delivery: Delivery): Promise<Answer> => {
    try {
      return await deps.trace('deliver', { 'farthing.product': id }, async (span) => {
        const delivered = await deliver(deps, delivery)
        const { receipt, settled } = delivered
        span.know({ 'farthing.receipt': receipt?.id, 'farthing.transaction': settled.transaction })
        return { is: 'delivered', delivered }
      })
    } catch (error) {
      deps.report(error)
      const detail = `You have paid for this and it is stored for you, but it cannot be read just now. ${resend}`
      return { is: 'problem', problem: new Problem('busy', { charged: true, retryAfterSeconds: 5, detail }) }
    }
  }
  /** An invalid sign-in is ignored: the request is answered with the price, like any other. */
  const showOwned = async (asked: Asked, signIn: SignIn): Promise<Outcome | Unowned> => {
    const signed = await deps.checkSignIn(signIn)
    return signed.is === 'wallet' ? deps.showOwned(asked, signed.wallet) : { is: 'unowned' }
  }
  /** Refused input: the same request may have paid, or had its product made, while the input was still valid. */
  const fetchSent = async (offer: Offer, input: Refused, request: Resent): Promise<Outcome> => {
    const { sent } = input
    try {
      const fetched = sent && (await deps.fetchSent({ ...request, offer, sent: toFingerprint(offer, sent) }))
      return fetched ?? refused(await refuseInput(deps, input, request))
    } catch (error) {
      deps.report(error)
      return refused(refuseUnasked(input))
    }
  }
  /** What the maker would refuse in valid input. If that cannot be told, the price is quoted without it. */
  const foresee = async ({ make }: Listing, input: Record<string, unknown>): Promise<readonly InputError[]> => {
    try {
      return (await make?.foresee?.(input)) ?? []
    } catch (error) {
      deps.report(error)
      return []
    }
  }
  return async (
    listing: Listing,
    { input, payment, signIn, hasInput, gone, caller, requestId }: ParsedRequest,
  ): Promise<Answer> => {
    const { offer, make, complete } = listing
    const arrivedAt = deps.now()
    const price = input.is === 'valid' ? priceOf(offer, input.value) : advertisedPrice(offer)
    const toAsked = ({ value, sent }: Valid): Asked => ({
      offer,
      fingerprint: toFingerprint(offer, value),
      sent: toFingerprint(offer, sent),
      make: make && ((signal, paymentKey) => make(value, signal, paymentKey)),
      gone,
    })
    if (payment === 'absent' && signIn && input.is === 'valid' && isLasting(offer)) {
      const shown = await showOwned(toAsked(input), signIn)
      if (shown.is === 'bought') return handOver(offer, { ...shown, complete, paymentKey: 'none' })
      if (shown.is === 'changed' && !deps.isBlocked({ caller }))
        return {
          is: 'challenge',
          facts: { offer, price, reason: 'newer_version', owned: await toOwned(shown.owned) },
        }
      if (shown.is === 'refused') return { is: 'problem', problem: shown.problem }
    }
    // Requests with a payment are not refused here: their wallet may own the product or have paid, which is looked up
    // first.
    if (typeof payment === 'string' && deps.isBlocked({ caller })) return { is: 'problem', problem: blocked() }
    if (payment === 'absent') {
      const wrong = input.is === 'valid' ? await foresee(listing, input.value) : input.errors
      const errors = hasInput && wrong.length > 0 ? wrong : undefined
      return { is: 'challenge', facts: { offer, price, reason: 'payment_required', ...(errors && { errors }) } }
    }
    if (payment === 'outdated') return { is: 'challenge', facts: { offer, price, reason: wrongVersion } }
    if (payment === 'unreadable') return { is: 'challenge', facts: { offer, price, reason: 'invalid_payload' } }
    const request = { price, path: offer.path, payment, gone, caller, requestId, arrivedAt }
    const outcome =
      input.is === 'valid' ? await deps.buy({ ...toAsked(input), ...request }) : await fetchSent(offer, input, request)
    const { payer } = payment
    // The buyer may have written anything there.
    const network = (findNetwork(payment.accepted.network) ?? base).id
    switch (outcome.is) {
      case 'bought':
        return handOver(offer, { ...outcome, complete, paymentKey: payment.key })
      case 'changed':
        return {
          is: 'challenge',
          facts: { offer, price, reason: 'newer_version', owned: await toOwned(outcome.owned) },
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
        return { is: 'challenge', facts, ...(settling && { unsettled: { network, payer, errorReason: reason } }) }
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
          unsettled: { network, payer, errorReason: 'settlement_pending' },
        }
      }
      case 'refused':
        return { is: 'problem', problem: outcome.problem }
    }
  }
}
