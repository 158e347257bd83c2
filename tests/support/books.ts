import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { z } from 'zod'
import type { RunningMoney } from './money.ts'
import type { Purchase } from './patient-buyer.ts'

const rowSchema = z.object({ nonce: z.string(), state: z.string(), sales: z.number(), hash: z.string().nullable() })

/** What a ledger file says, read by a connection of the test's own. */
export function readLedger(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true, timeout: 5000 })
  try {
    const rows = db.prepare(
      `select nonce, state, transaction_hash as hash,
         (select count(*) from sale where payment_key = key and sale.transaction_hash = payment.transaction_hash) as sales
       from payment order by nonce`,
    )
    return {
      rows: z.array(rowSchema).parse(rows.all()),
      sales: z.object({ count: z.number() }).parse(db.prepare('select count(*) as count from sale').get()).count,
      integrity: db.prepare('pragma integrity_check').all(),
      foreignKeys: db.prepare('pragma foreign_key_check').all(),
    }
  } finally {
    db.close()
  }
}

/**
 * Everything that was bought is one settled row with one sale and one transfer on the chain, each was delivered in
 * one form only, and nothing else is in the ledger or reached the wallet.
 *
 * @param earlierTransfers how many had been made before, for another ledger
 */
export async function expectBalanced(
  dataDir: string,
  money: RunningMoney,
  bought: readonly Purchase[],
  earlierTransfers = 0,
): Promise<void> {
  for (const { delivered, history } of bought) expect(delivered, history.join(', ')).toHaveLength(1)
  const { rows, sales, integrity, foreignKeys } = readLedger(dataDir)
  expect(integrity).toEqual([{ integrity_check: 'ok' }])
  expect(foreignKeys).toEqual([])
  expect(rows.map(({ nonce, state, sales }) => [nonce, state, sales])).toEqual(
    bought.map(({ nonce }) => [nonce, 'settled', 1]).sort(byNonce),
  )
  expect(sales).toBe(bought.length)
  const transfers = (await money.transfersTo()).slice(earlierTransfers)
  expect(transfers.map(({ transactionHash }) => transactionHash).sort()).toEqual(rows.map(({ hash }) => hash).sort())
}

const byNonce = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1)
