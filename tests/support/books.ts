import { expect } from 'vitest'
import type { RunningMoney } from './money.ts'
import type { Purchase } from './patient-buyer.ts'
import { readLedger, type readRows } from './read-ledger.ts'

/**
 * Checks that every purchase is one settled row with one sale and one transfer on the chain, that it was delivered in
 * one form only, and that nothing else is in the ledger or reached the wallet.
 *
 * @param earlierTransfers how many earlier transfers belong to another ledger
 */
export async function expectBalanced(
  dataDir: string,
  money: RunningMoney,
  bought: readonly Purchase[],
  earlierTransfers = 0,
): Promise<void> {
  const { faults, ...ledger } = await readLedger(dataDir)
  expect(faults).toEqual([])
  await expectAgreed(ledger, money, bought, earlierTransfers)
}

/** The same check for rows that were already read from a ledger. */
export async function expectAgreed(
  { rows, sales }: Awaited<ReturnType<typeof readRows>>,
  money: RunningMoney,
  bought: readonly Purchase[],
  earlierTransfers = 0,
): Promise<void> {
  for (const { delivered, history } of bought) expect(delivered, history.join(', ')).toHaveLength(1)
  expect(rows.map(({ nonce, state, sales }) => [nonce, state, sales])).toEqual(
    bought.map(({ nonce }) => [nonce, 'settled', 1]).sort(byNonce),
  )
  expect(sales).toBe(bought.length)
  const transfers = (await money.transfersTo()).slice(earlierTransfers)
  expect(transfers.map(({ transactionHash }) => transactionHash).sort()).toEqual(rows.map(({ hash }) => hash).sort())
}

const byNonce = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1)
