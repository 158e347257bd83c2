import { type ComparedPayment, paidUnits } from '../ledger/payment-row.ts'
import type { Rail } from '../rails.ts'
import { readKeptPayment } from '../wire/read-payment.ts'
import { toRequirements } from '../wire/requirements.ts'
import { type LookAgainDeps, lookAgain, reversedReason } from './look-again.ts'
import { toEndEvent } from './sale-event.ts'
import { recordWitness, toExpected } from './settle-payment.ts'

export type ReconcileDeps = LookAgainDeps

export interface ReconcileWish {
  /** Only the first network, or only the others; all networks when absent. */
  readonly only?: 'first' | 'others'
  /** Stops before the next payment or sale. */
  readonly signal?: AbortSignal
}

/** `maxTimeoutSeconds` of the terms that a facilitator is sent again; it checks the signed window by its own clock. */
const resettleSeconds = 300

/**
 * Takes care of rows that no process holds: at start (after a crash) and every few minutes. Unpaid claims of dead
 * processes are released; payments with a stored product are compared with the chain; sales are checked until their
 * transfer is final. A payment is sent again only where the chain lost a transfer that it had, because that product was
 * delivered. Networks are handled side by side, so that one whose chain does not answer delays no other. Open payments
 * on a network that is not accepted any more stay open.
 *
 * @returns how many rows still wait for the chain
 */
export async function reconcile(deps: ReconcileDeps, { only, signal }: ReconcileWish = {}): Promise<number> {
  const { all, find } = deps.rails
  const wanted = all.filter((_, at) => only === undefined || (at === 0) === (only === 'first'))
  const open = await Promise.all(
    wanted.map(async (rail) => {
      await lookAgain(deps, rail, signal)
      const isMine = ({ network }: ComparedPayment): boolean =>
        network === rail.network || (rail === all[0] && !find(network))
      return countOpen(deps, (await deps.ledger.unattended()).filter(isMine), signal)
    }),
  )
  return open.reduce((sum, count) => sum + count, 0)
}

async function countOpen(
  deps: ReconcileDeps,
  rows: readonly ComparedPayment[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let open = 0
  for (const row of rows) {
    if (signal?.aborted === true) break
    try {
      if (await isStillOpen(deps, row, deps.rails.find(row.network))) open++
    } catch (error) {
      deps.report(error)
    }
  }
  return open
}

async function isStillOpen(deps: ReconcileDeps, row: ComparedPayment, rail: Rail | undefined): Promise<boolean> {
  const { ledger } = deps
  if (row.state !== 'working' && !rail) return true
  const lease = await ledger.take(row)
  if (!lease) return false
  if (row.state === 'working' || !rail) {
    await ledger.release(lease)
    return false
  }
  const { oracle } = rail
  let witness = await oracle.witness(toExpected(row))
  if (witness.is === 'unused' && row.reason === reversedReason && (await settleAgain(deps, row, rail)))
    witness = await oracle.witness(toExpected(row))
  const settlement = await recordWitness(ledger, lease, witness)
  if (settlement.is !== 'pending') {
    deps.log(toEndEvent(row, settlement))
    return false
  }
  await ledger.letGo(lease)
  return true
}

/** Sends the payment of a reversed sale once more; that is safe, because an authorization moves money at most once. */
async function settleAgain(
  { seal, report }: ReconcileDeps,
  row: ComparedPayment,
  { facilitator }: Rail,
): Promise<boolean> {
  const opened = row.payload === null ? undefined : seal.open(row.payload)
  const payment = opened === undefined ? undefined : readKeptPayment(opened)
  if (!payment || facilitator.restLeftMs() > 0) return false
  const terms = toRequirements({ ...row, payTo: row.pay_to }, paidUnits(row), resettleSeconds)
  const answer = await facilitator.settle(payment, terms)
  if (answer.is === 'unknown' || answer.is === 'unsent') report(answer.cause)
  return true
}
