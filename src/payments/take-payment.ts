import { maxTimeoutSeconds } from '../../functions/offer.ts'
import { type Lease, LeaseLost, leaseMs } from './lease.ts'
import { challenge, type Outcome, type PurchaseRequest } from './outcome.ts'
import type { PaymentRow } from './payment-row.ts'
import { recordWitness, type SettleDeps, settlePayment, toExpected } from './settle-payment.ts'
import { toRequirements } from './terms.ts'

export interface TakeDeps extends SettleDeps {
  /** Told before a payment's signature may get on the chain. */
  publish: (paymentKey: string) => void
  /** Renews while work goes on; returns the function that stops it. */
  every: (ms: number, task: () => void) => () => void
  report: (error: unknown) => void
}

/** The part of a purchase in which money may move. Whatever breaks here, the answer is that we do not know yet. */
export function makeTakePayment(deps: TakeDeps) {
  const { ledger, oracle } = deps

  const settle = async (
    request: PurchaseRequest,
    row: PaymentRow,
    lease: Lease,
    attempt = { isFirst: true },
  ): Promise<Outcome> => {
    const terms = toRequirements(
      { payTo: row.pay_to, asset: row.asset },
      BigInt(row.amount),
      maxTimeoutSeconds(request.offer),
    )
    deps.publish(row.key)
    try {
      const settlement = await settlePayment(deps, row, lease, request.payment, terms, attempt)
      if (settlement.is === 'pending') return { is: 'pending' }
      if (settlement.is === 'failed') return challenge(settlement.reason, true)
      const settled = await ledger.find(row.key)
      return settled ? { is: 'delivered', row: settled } : { is: 'pending' }
    } catch (error) {
      deps.report(error)
      await ledger.letGo(lease).catch(deps.report)
      return { is: 'pending' }
    }
  }

  /** Takes a stored product through settlement, or finds out how its settlement went. */
  const goOn = async (request: PurchaseRequest, row: PaymentRow, lease: Lease): Promise<Outcome> => {
    try {
      if (row.state === 'ready') {
        await ledger.beginSettling(lease)
        return await settle(request, row, lease)
      }
      const witness = await oracle.witness(toExpected(row))
      if (witness.is === 'unused') return await settle(request, row, lease, { isFirst: false })
      const settlement = await recordWitness(ledger, lease, witness)
      if (settlement.is === 'failed') return challenge(settlement.reason, true)
      const settled = settlement.is === 'settled' ? await ledger.find(row.key) : undefined
      if (settled) return { is: 'delivered', row: settled }
    } catch (error) {
      if (error instanceof LeaseLost) return { is: 'in-progress' }
      deps.report(error)
    }
    await ledger.letGo(lease).catch(deps.report)
    return { is: 'pending' }
  }

  return {
    /** Keeps a lease alive while something is done under it. */
    async withLease(lease: Lease, work: () => Promise<Outcome>): Promise<Outcome> {
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
    goOn,
  }
}

export type TakePayment = ReturnType<typeof makeTakePayment>
