import { maxTimeoutSeconds } from '../../functions/offer.ts'
import { Problem } from '../problem.ts'
import type { Forgiveness } from './forgiveness.ts'
import type { InFlight } from './in-flight.ts'
import { type Lease, LeaseLost } from './lease.ts'
import { makeProduct, type Work } from './make-product.ts'
import { type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { Product } from './product.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { TakePayment } from './take-payment.ts'
import { toRequirements } from './terms.ts'

interface Deps extends PurchaseDeps, Pick<TakePayment, 'settle' | 'withLease'> {
  inFlight: InFlight
  forgiveness: Forgiveness
  /** For a payment that the facilitator calls bad: whether it was used before is for the chain to say. */
  turnAway: (request: PurchaseRequest, reason: string) => Promise<Outcome>
  /** Whether the program is about to end, so that nothing may be settled any more. */
  isEnding: () => boolean
}

/** What is counted against an address for what nobody pays for: so many of the payments it may fail. */
const costs = { noVerdict: 3, hangUp: 5, unpaidWork: 5 }

/** Verifies, works, keeps and settles under a claim: what a payment that nobody has seen before goes through. */
export function makeMakeAndSettle(deps: Deps) {
  const { ledger, facilitator, oracle, wallet, inFlight, forgiveness } = deps

  /** Where a later search on the chain starts; without it the search goes by time. */
  const findHead = (): Promise<number | null> =>
    oracle.head().catch((error: unknown) => {
      deps.report(error)
      return null
    })

  const count = ({ caller }: PurchaseRequest, cost: number): void => {
    if (caller !== undefined) deps.countAgainst(caller, cost)
  }

  return async (request: PurchaseRequest, lease: Lease, make: Work): Promise<Outcome> => {
    const { offer, payment, price } = request
    const release = () =>
      ledger.release(lease).catch((error: unknown) => {
        // Whoever holds the row now may have sold it: nothing may be said about the money.
        if (error instanceof LeaseLost) throw error
        deps.report(error)
      })
    const terms = toRequirements(wallet, price, maxTimeoutSeconds(offer))
    const [verdict, head] = await Promise.all([facilitator.verify(payment, terms), findHead()])
    if (verdict.is !== 'valid') {
      await release()
      if (verdict.is === 'invalid') return deps.turnAway(request, verdict.reason)
      deps.report(verdict.cause)
      count(request, costs.noVerdict)
      return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds: 5 }))
    }

    const stop = new AbortController()
    const left = inFlight.left(payment.key)
    const onLeft = () => {
      if (forgiveness.forgives(payment.payer)) stop.abort(left.reason)
    }
    left.addEventListener('abort', onLeft, { once: true })
    if (left.aborted) onLeft()

    let product: Product
    try {
      product = await makeProduct(offer, make, payment.key, stop.signal)
    } catch (cause) {
      await release()
      if (stop.signal.aborted) {
        count(request, costs.hangUp)
        return refused(gone())
      }
      if (cause instanceof Problem) return refused(cause)
      deps.report(cause)
      return refused(new Problem('work-failed', { charged: false, retryAfterSeconds: 5, cause }))
    }
    try {
      if (deps.isEnding()) {
        await ledger.keepReady(lease, product, head)
        return refused(ending())
      }
      // Whether or not somebody still waits: what was made is paid for, and fetched with the same request.
      await ledger.keepAndSettle(lease, product, head)
    } catch (cause) {
      if (cause instanceof LeaseLost) throw cause
      await release()
      deps.report(cause)
      const detail = 'The product could not be stored, so nothing was charged; send the identical request again'
      return refused(new Problem('busy', { charged: false, retryAfterSeconds: 10, detail, cause }))
    }
    const row = await ledger.find(payment.key)
    if (!row) return { is: 'pending' }
    const outcome = await deps.settle(request, row, lease)
    if (outcome.is === 'challenge') count(request, costs.unpaidWork)
    return outcome
  }
}

const gone = (): Problem =>
  new Problem('work-failed', { charged: false, detail: 'The connection was gone before payment' })

const ending = (): Problem => {
  const detail = 'The shop is about to restart; nothing was charged, and what was made for you is kept'
  return new Problem('busy', { charged: false, retryAfterSeconds: 15, detail })
}
