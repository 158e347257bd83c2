import { Problem } from '../../core/problem.ts'
import { isLasting } from '../../offers/offer.ts'
import type { Product } from '../../offers/product.ts'
import { type Lease, LeaseLost, Outrun } from '../ledger/lease.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import type { Rail } from '../rails.ts'
import type { Requirements } from '../wire/payment.ts'
import type { Forgiveness } from './forgiveness.ts'
import type { InFlight } from './in-flight.ts'
import { makeProduct, type Work } from './make-product.ts'
import { type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { SettlePurchase } from './settle-purchase.ts'
import type { TurnAway } from './turn-away.ts'

interface Deps extends PurchaseDeps, Pick<SettlePurchase, 'settle'>, Pick<TurnAway, 'turnAway'> {
  inFlight: InFlight
  forgiveness: Forgiveness
  /** Whether the program is about to end, so that nothing may be settled any more. */
  isEnding: () => boolean
  /** Aborted when work that is still going on can no more be waited for. */
  noMoreWork: AbortSignal
}

/** What is counted against an address for what nobody pays for: so many of the payments it may fail. */
const costs = { noVerdict: 3, hangUp: 5, unpaidWork: 5 }

/** Verifies, makes, keeps and settles under a claim: what a payment that nobody has seen before goes through. */
export function makeFulfil(deps: Deps) {
  const { ledger, inFlight, forgiveness, trace } = deps

  /** Where a later search on the chain starts; without it the search goes by time. */
  const findHead = ({ oracle }: Rail): Promise<number | null> =>
    oracle.head().catch((error: unknown) => {
      deps.report(error)
      return null
    })

  const count = ({ caller }: PurchaseRequest, cost: number): void => {
    if (caller !== undefined) deps.countAgainst(caller, cost)
  }

  const release = (lease: Lease): Promise<void> =>
    ledger.release(lease).catch((error: unknown) => {
      // Whoever holds the row now may have sold it: nothing may be said about the money.
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
      // Whether or not somebody still waits: what was made is paid for, and fetched with the same request.
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
    const [verdict, head] = await Promise.all([verify, findHead(rail)])
    if (verdict.is !== 'valid') {
      await release(lease)
      // Whether it was used before is for the chain to say.
      if (verdict.is === 'invalid') return deps.turnAway(request, verdict.reason)
      deps.report(verdict.cause)
      count(request, costs.noVerdict)
      return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds: 5 }))
    }
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

const ending = (effect: string): Problem =>
  new Problem('busy', { charged: false, retryAfterSeconds: 15, detail: `The shop is about to restart; ${effect}` })
