import { setTimeout as delay } from 'node:timers/promises'
import type { RunningMoney } from '../../tests/support/money.ts'
import { readLedger } from '../../tests/support/read-ledger.ts'
import type { Sold } from './sales.ts'

interface Books {
  readonly dataDir: string
  readonly money: RunningMoney
  readonly payTo: string
  readonly sold: readonly Sold[]
}

const patienceMs = 120_000

/** Waits until no payment of the ledger is in progress, for at most two minutes. */
export async function waitForBooks(dataDir: string): Promise<void> {
  const until = Date.now() + patienceMs
  const isOpen = async () =>
    (await readLedger(dataDir)).rows.some(({ state }) => state === 'working' || state === 'settling')
  while ((await isOpen()) && Date.now() < until) await delay(1000)
}

/** Compares the deliveries with the ledger and the chain. Returns one sentence for each difference. */
export async function compareBooks({ dataDir, money, payTo, sold }: Books): Promise<string[]> {
  const { rows, sales, faults: wrong } = await readLedger(dataDir)
  const transfers = await money.transfersTo(payTo)
  const rowOf = new Map(rows.map((row) => [row.nonce, row]))
  const paid = new Set<string | null>(transfers.map(({ transactionHash }) => transactionHash))
  const faults: string[] = []
  const expectSame = (what: string, is: unknown, expected: unknown): void => {
    if (String(is) !== String(expected)) faults.push(`${what}: ${String(is)} instead of ${String(expected)}`)
  }
  for (const { name, purchase } of sold) {
    const { nonce, delivered, history } = purchase
    const row = rowOf.get(nonce)
    const isPaid = row !== undefined && paid.has(row.hash)
    const said = `${name} ${nonce} (${history.join(', ')})`
    if (isPaid && delivered.size === 0) faults.push(`charged without a product: ${said}`)
    if (!isPaid && delivered.size > 0) faults.push(`delivered without a transfer: ${said}`)
    if (delivered.size > 1) faults.push(`delivered in ${delivered.size} forms: ${said}`)
    if (delivered.size > 0) expectSame(`ledger of ${said}`, `${row?.state}, ${row?.sales} sales`, 'settled, 1 sales')
  }
  const micros = sold.reduce((sum, each) => (each.purchase.delivered.size > 0 ? sum + each.micros : sum), 0n)
  const delivered = sold.filter(({ purchase }) => purchase.delivered.size > 0).length
  expectSame('check of the ledger file', JSON.stringify(wrong), '[]')
  expectSame('sales in the ledger', sales, delivered)
  expectSame('transfers to the wallet', transfers.length, delivered)
  expectSame(
    'millionths in the wallet',
    transfers.reduce((sum, { value }) => sum + (value ?? 0n), 0n),
    micros,
  )
  return faults
}
