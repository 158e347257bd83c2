import { Problem } from '../../core/problem.ts'
import { isLasting, maxTimeoutSeconds } from '../../offers/offer.ts'
import { type Lease, LeaseLost, leaseMs, Outrun } from '../ledger/lease.ts'
import { type PaymentRow, paidUnits } from '../ledger/payment-row.ts'
import { toEndEvent } from '../settlement/sale-event.ts'
import { recordWitness, type Settlement, settlePayment, toExpected } from '../settlement/settle-payment.ts'
import { toRequirements } from '../wire/requirements.ts'
import { challenge, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'

interface Deps extends PurchaseDeps {
  /** Called before the signature of a payment may get on the chain. */
  publish: (paymentKey: string) => void
}

/**
 * The part of a purchase in which money may move. After any error here the outcome is `pending`: it is not known yet.
 */
export function makeSettlePurchase(deps: Deps) {
  const { ledger, rails } = deps

  const settle = async (
    request: PurchaseRequest,
    row: PaymentRow,
    lease: Lease,
    attempt = { isFirst: true },
  ): Promise<Outcome> => {
    try {
      const to = { network: row.network, payTo: row.pay_to, asset: row.asset }
      const required = toRequirements(to, paidUnits(row), maxTimeoutSeconds(request.offer))
      const rail = rails.get(row.network)
      deps.publish(row.key)
      const about = { ...attempt, requestId: request.requestId }
      const settlement = await deps.trace('settle', { 'farthing.product': row.offer_id }, async (span) => {
        const settled = await settlePayment(deps, rail, row, lease, request.payment, required, about)
        span.know({ 'farthing.answer': settled.is, ...(settled.is === 'settled' && toFacts(settled)) })
        return settled
      })
      return settlement.is === 'unsent' ? refused(unsent()) : toOutcome(settlement)
    } catch (error) {
      deps.report(error)
      await ledger.letGo(lease).catch(deps.report)
      return { is: 'pending' }
    }
  }

  /**
   * Settles the payment of a stored product, or finds out how its settlement ended. `again`: another payment of the
   * wallet for the same was quicker.
   *
   * @param identifierHash the `payment-identifier` under which the purchase can be fetched from then on; null where
   *   another purchase has it, and where the request may not come from the buyer
   */
  const resumeSettling = async (
    request: PurchaseRequest,
    row: PaymentRow,
    lease: Lease,
    identifierHash: string | null,
  ): Promise<Outcome | 'again'> => {
    try {
      const rail = rails.get(row.network)
      if (row.state === 'ready') {
        await ledger.beginSettling(lease, { isLasting: isLasting(request.offer), identifierHash })
        return await settle(request, row, lease)
      }
      const witness = await rail.oracle.witness(toExpected(row))
      if (witness.is === 'unused') return await settle(request, row, lease, { isFirst: false })
      const settlement = await recordWitness(ledger, lease, witness)
      if (settlement.is !== 'pending') {
        deps.log(toEndEvent(row, settlement, { requestId: request.requestId }))
        return toOutcome(settlement)
      }
    } catch (error) {
      if (error instanceof LeaseLost) return { is: 'in-progress' }
      if (!(error instanceof Outrun)) deps.report(error)
      else {
        await ledger.letGo(lease)
        return 'again'
      }
    }
    await ledger.letGo(lease).catch(deps.report)
    return { is: 'pending' }
  }

  return {
    /** Keeps a lease alive while something is done under it. */
    async withLease<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
      const stop = deps.every(leaseMs / 3, () => {
        ledger.renew(lease).catch((error: unknown) => {
          // The work may just have ended. If the lease was lost, the next write under it throws that.
          if (!(error instanceof LeaseLost)) deps.report(error)
        })
      })
      try {
        return await work()
      } finally {
        stop()
      }
    },
    settle,
    resumeSettling,
  }
}

const unsent = (): Problem => {
  const detail = 'No facilitator took the payment; nothing was charged, and what was made for you is kept'
  return new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds: 5, detail })
}

/** What a trace may contain of a settlement: what is public on the chain, and the id of the receipt. */
const toFacts = ({ sale: { row, receipt } }: Extract<Settlement, { is: 'settled' }>) => ({
  'farthing.amount_micro_usd': row.amount,
  'farthing.receipt': receipt.id,
  'farthing.transaction': receipt.transaction,
})

function toOutcome(settlement: Settlement): Outcome {
  if (settlement.is === 'settled') return { is: 'bought', ...settlement.sale }
  return settlement.is === 'failed' ? challenge(settlement.reason, true) : settlement
}

export type SettlePurchase = ReturnType<typeof makeSettlePurchase>
