import type { ChainOracle } from './chain-oracle.ts'
import type { Ledger, PaymentRow } from './ledger.ts'
import { recordWitness, toExpected } from './settle-payment.ts'

export interface ReconcileDeps {
  ledger: Ledger
  oracle: ChainOracle
  now: () => number
  report: (error: unknown) => void
}

/**
 * Looks after rows that nobody holds: at start (after a crash) and every few minutes. Unpaid claims of dead processes are
 * released; stored products are compared with the chain. Money is never asked for here: nobody is waiting for it.
 *
 * @returns how many rows still wait for the chain
 */
export async function reconcile({ ledger, oracle, now, report }: ReconcileDeps): Promise<number> {
  let open = 0
  for (const row of await ledger.unattended()) {
    try {
      if (await isStillOpen({ ledger, oracle, now }, row)) open++
    } catch (error) {
      report(error)
    }
  }
  return open
}

async function isStillOpen(
  { ledger, oracle, now }: Pick<ReconcileDeps, 'ledger' | 'oracle' | 'now'>,
  row: PaymentRow,
): Promise<boolean> {
  // A product whose buyer left waits for that buyer as long as its authorization is good.
  if (row.state === 'ready' && row.valid_before * 1000 > now()) return false
  const lease = await ledger.take(row)
  if (!lease) return false
  if (row.state === 'working') {
    await ledger.release(lease)
    return false
  }
  const settlement = await recordWitness(ledger, lease, await oracle.witness(toExpected(row)))
  if (settlement.is !== 'pending') return false
  await ledger.letGo(lease)
  return true
}
