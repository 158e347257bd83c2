import { Problem } from '../../core/problem.ts'
import { isLasting } from '../../offers/offer.ts'
import type { Product } from '../../offers/product.ts'
import { type Lease, LeaseLost, Outrun } from '../ledger/lease.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import type { Requirements } from '../wire/payment.ts'
import { type Ending, ending } from './ending.ts'
import type { Forgiveness } from './forgiveness.ts'
import type { InFlight } from './in-flight.ts'
import { makeProduct, type Work } from './make-product.ts'
import { type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { SettlePurchase } from './settle-purchase.ts'
import type { TurnAway } from './turn-away.ts'

interface Deps extends PurchaseDeps, Ending, Pick<SettlePurchase, 'settle'>, Pick<TurnAway, 'askChain' | 'turnAway'> {
  inFlight: InFlight
  forgiveness: Forgiveness
}

/** What is counted against the address of a buyer for unpaid work, in failed payments of its rate limit. */
const costs = { noVerdict: 3, hangUp: 5, unpaidWork: 5 }

/** A search for the payment may begin this much earlier than necessary, in milliseconds. */
const headAgeMs = 30_000

const reasons = {
  used: 'invalid_exact_evm_nonce_already_used',
  expired: 'invalid_exact_evm_payload_authorization_valid_before',
}

/** Makes the function that carries out a new purchase under its claim: verifies, makes, keeps and settles. */
export function makeFulfil(deps: Deps) {
  const { ledger, inFlight, forgiveness, trace } = deps

  /**
   * Refuses the payment. If it cannot be found out or recorded whether it was used before, the outcome is `pending`.
   */
  const turnAway = (request: PurchaseRequest, reason: string): Promise<Outcome> =>
    deps.turnAway(request, reason).catch((error: unknown): Outcome => {
      deps.report(error)
      return { is: 'pending' }
    })

  const count = ({ caller }: PurchaseRequest, cost: number): void => {
    if (caller !== undefined) deps.countAgainst(caller, cost)
  }

  const release = (lease: Lease): Promise<void> =>
    ledger.release(lease).catch((error: unknown) => {
      // The process that holds the row now may have sold it, so nothing may be said about the money.
      if (error instanceof LeaseLost) throw error
      deps.report(error)
    })

  const make = async (request: PurchaseRequest, lease: Lease, work: Work): Promise<Made | Outcome> => {
    const { offer, payment } = request
    const stop = new AbortController()
    const left = inFlight.left(payment.key)
    const onLeft = () => {
      if (forgiveness.forgives(payment.payer)) stop.abort(left.reason)
    }
    left.addEventListener('abort', onLeft, { once: true })
    if (left.aborted) onLeft()
    try {
      const product = await trace('work', { 'farthing.product': offer.id }, () =>
        makeProduct(offer, work, payment.key, AbortSignal.any([stop.signal, deps.noMoreWork])),
      )
      return { is: 'made', product }
    } catch (cause) {
      await release(lease)
      if (stop.signal.aborted) {
        count(request, costs.hangUp)
        return refused(gone())
      }
      if (deps.noMoreWork.aborted) return refused(ending('nothing was charged'))
      if (cause instanceof Problem) return refused(cause)
      deps.report(cause)
      return refused(new Problem('work-failed', { charged: false, retryAfterSeconds: 5, cause }))
    }
  }

  const keep = async (
    { offer }: PurchaseRequest,
    lease: Lease,
    product: Product,
    head: number | null,
  ): Promise<Kept | Outcome | 'again'> => {
    try {
      if (deps.isEnding()) {
        await ledger.keepReady(lease, product, head)
        return refused(ending('nothing was charged, and what was made for you is kept'))
      }
      // Settled even if the buyer has left: the same request fetches it.
      const row = await ledger.keepForSettlement(lease, product, head, { isLasting: isLasting(offer) })
      return { is: 'kept', row }
    } catch (cause) {
      if (cause instanceof LeaseLost) throw cause
      await release(lease)
      if (cause instanceof Outrun) return 'again'
      deps.report(cause)
      const detail = 'The product could not be stored, so nothing was charged; send the identical request again'
      return refused(new Problem('busy', { charged: false, retryAfterSeconds: 10, detail, cause }))
    }
  }

  return async (
    request: PurchaseRequest,
    required: Requirements,
    lease: Lease,
    work: Work,
  ): Promise<Outcome | 'again'> => {
    const rail = deps.rails.get(required.network)
    const verify = trace('verify', { 'farthing.product': request.offer.id }, async (span) => {
      const verdict = await rail.facilitator.verify(request.payment, required)
      span.know({ 'farthing.answer': verdict.is })
      return verdict
    })
    // A facilitator may not check the nonce, or see an old state. A payment that was used before must not buy again.
    const [verdict, seen] = await Promise.all([verify, deps.askChain(request, headAgeMs)])
    const isOpen = seen.is === 'unused' || (seen.is === 'unseen' && !seen.isUsed)
    if (verdict.is === 'valid' && !isOpen) {
      await release(lease)
      return turnAway(request, seen.is === 'expired' ? reasons.expired : reasons.used)
    }
    if (verdict.is !== 'valid') {
      await release(lease)
      // The chain is asked whether it was used before.
      if (verdict.is === 'invalid') return turnAway(request, verdict.reason)
      deps.report(verdict.cause)
      count(request, costs.noVerdict)
      return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds: 5 }))
    }
    // The block where a later search starts; without one, the search starts by time.
    const head = seen.is === 'unused' ? seen.asOf : null
    if (seen.is === 'unseen') deps.report(seen.cause)
    const made = await make(request, lease, work)
    if (made.is !== 'made') return made
    const kept = await keep(request, lease, made.product, head)
    if (kept === 'again' || kept.is !== 'kept') return kept
    const outcome = await deps.settle(request, kept.row, lease)
    if (outcome.is === 'challenge') count(request, costs.unpaidWork)
    return outcome
  }
}

type Made = { is: 'made'; product: Product }
type Kept = { is: 'kept'; row: PaymentRow }

const gone = (): Problem =>
  new Problem('work-failed', { charged: false, detail: 'The connection was gone before payment' })
