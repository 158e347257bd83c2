import { type PaymentRow, paidUnits } from '../ledger/payment-row.ts'
import type { Rail } from '../rails.ts'
import { readKeptPayment } from '../wire/read-payment.ts'
import { toRequirements } from '../wire/requirements.ts'
import { type LookAgainDeps, lookAgain, reversedReason } from './look-again.ts'
import { toEndEvent } from './sale-event.ts'
import { recordWitness, toExpected } from './settle-payment.ts'

export type ReconcileDeps = LookAgainDeps

export interface ReconcileWish {
  /** The first network alone, or all the others; every one when absent. */
  readonly only?: 'first' | 'others'
  /** Ends it before the next row. */
  readonly signal?: AbortSignal
}

/** A facilitator checks the window against its own clock; this is only what it is told was asked for. */
const resettleSeconds = 300

/**
 * Looks after rows that nobody holds: at start (after a crash) and every few minutes. Unpaid claims of dead processes are
 * released; stored products are compared with the chain; sales are looked at until their transfer is final. Money is
 * asked for only where the chain lost a transfer that it had: that product was delivered. Each network goes its own
 * pace, so that one whose chain does not answer holds up no other; what is open on one that is not taken any more waits.
 *
 * @returns how many rows still wait for the chain
 */
export async function reconcile(deps: ReconcileDeps, { only, signal }: ReconcileWish = {}): Promise<number> {
  const { all, find } = deps.rails
  const wanted = all.filter((_, at) => only === undefined || (at === 0) === (only === 'first'))
  const open = await Promise.all(
    wanted.map(async (rail) => {
      await lookAgain(deps, rail)
      const isMine = ({ network }: PaymentRow): boolean =>
        network === rail.network || (rail === all[0] && !find(network))
      return countOpen(deps, (await deps.ledger.unattended()).filter(isMine), signal)
    }),
  )
  return open.reduce((sum, count) => sum + count, 0)
}

async function countOpen(
  deps: ReconcileDeps,
  rows: readonly PaymentRow[],
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

async function isStillOpen(deps: ReconcileDeps, row: PaymentRow, rail: Rail | undefined): Promise<boolean> {
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

/** Asks for the money of a reversed sale once more: its authorization moves money at most once, whoever sends it. */
async function settleAgain({ seal, report }: ReconcileDeps, row: PaymentRow, { facilitator }: Rail): Promise<boolean> {
  const opened = row.payload === null ? undefined : seal.open(row.payload)
  const payment = opened === undefined ? undefined : readKeptPayment(opened)
  if (!payment || facilitator.restLeftMs() > 0) return false
  const terms = toRequirements({ ...row, payTo: row.pay_to }, paidUnits(row), resettleSeconds)
  const answer = await facilitator.settle(payment, terms)
  if (answer.is === 'unknown' || answer.is === 'unsent') report(answer.cause)
  return true
}
