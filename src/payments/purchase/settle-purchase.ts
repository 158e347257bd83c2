import { isLasting, maxTimeoutSeconds } from '../../offers/offer.ts'
import { type Lease, LeaseLost, leaseMs } from '../ledger/lease.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import { toEndEvent } from '../settlement/sale-event.ts'
import { recordWitness, type Settlement, settlePayment, toExpected } from '../settlement/settle-payment.ts'
import { toRequirements } from '../wire/requirements.ts'
import { challenge, type Outcome, type PurchaseRequest } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'

interface Deps extends PurchaseDeps {
  /** Told before a payment's signature may get on the chain. */
  publish: (paymentKey: string) => void
}

/** The part of a purchase in which money may move. Whatever breaks here, the answer is that we do not know yet. */
export function makeSettlePurchase(deps: Deps) {
  const { ledger, oracle } = deps

  /**
   * Whether another payment of this wallet for the same bytes has moved money, or may be moving it: asked when this one
   * is in `settling` already, so that of two, in whichever processes, at least one sees the other.
   */
  const hasRival = async (row: PaymentRow): Promise<boolean> => {
    const { owned, isSettling } = await ledger.findHolding(row, row.key)
    return isSettling || owned.some(({ digest }) => digest === row.digest)
  }

  /** `again`: another payment of this wallet was quicker, and this one was taken back unsent. */
  const settle = async (
    request: PurchaseRequest,
    row: PaymentRow,
    lease: Lease,
    attempt = { isFirst: true },
  ): Promise<Outcome | 'again'> => {
    const wallet = { payTo: row.pay_to, asset: row.asset }
    const required = toRequirements(wallet, BigInt(row.amount), maxTimeoutSeconds(request.offer))
    try {
      if (attempt.isFirst && isLasting(request.offer) && (await hasRival(row))) {
        await ledger.withdraw(lease)
        return 'again'
      }
      deps.publish(row.key)
      const about = { ...attempt, requestId: request.requestId }
      const settlement = await settlePayment(deps, row, lease, request.payment, required, about)
      return toOutcome(settlement)
    } catch (error) {
      deps.report(error)
      await ledger.letGo(lease).catch(deps.report)
      return { is: 'pending' }
    }
  }

  /** Takes a stored product through settlement, or finds out how its settlement went. */
  const resumeSettling = async (
    request: PurchaseRequest,
    row: PaymentRow,
    lease: Lease,
  ): Promise<Outcome | 'again'> => {
    try {
      if (row.state === 'ready') {
        await ledger.beginSettling(lease)
        return await settle(request, row, lease)
      }
      const witness = await oracle.witness(toExpected(row))
      if (witness.is === 'unused') return await settle(request, row, lease, { isFirst: false })
      const settlement = await recordWitness(ledger, lease, witness)
      if (settlement.is !== 'pending') {
        deps.log(toEndEvent(row, settlement, { requestId: request.requestId }))
        return toOutcome(settlement)
      }
    } catch (error) {
      if (error instanceof LeaseLost) return { is: 'in-progress' }
      deps.report(error)
    }
    await ledger.letGo(lease).catch(deps.report)
    return { is: 'pending' }
  }

  return {
    /** Keeps a lease alive while something is done under it. */
    async withLease<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
      const stop = deps.every(leaseMs / 3, () => {
        ledger.renew(lease).catch(deps.report)
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

function toOutcome(settlement: Settlement): Outcome {
  if (settlement.is === 'settled') return { is: 'bought', ...settlement.sale }
  return settlement.is === 'failed' ? challenge(settlement.reason, true) : settlement
}

export type SettlePurchase = ReturnType<typeof makeSettlePurchase>
