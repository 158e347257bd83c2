import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { isOnPostgres, openTestLedger } from './test-databases.ts'

/** The payments in a ledger. */
export async function readRows(db: LedgerDatabase) {
  const rows = await db
    .selectFrom('payment')
    .select(['nonce', 'state', 'transaction_hash as hash'])
    .select(({ selectFrom }) =>
      selectFrom('sale')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('payment_key', '=', 'payment.key')
        .whereRef('sale.transaction_hash', '=', 'payment.transaction_hash')
        .as('sales'),
    )
    .orderBy(sql`nonce collate "${sql.raw(isOnPostgres() ? 'C' : 'binary')}"`)
    .execute()
  const { count } = await db
    .selectFrom('sale')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, sales: count }
}

/** The same, read over a connection of the test's own. */
export async function readLedger(dataDir: string) {
  const db = await openTestLedger(dataDir)
  try {
    return { ...(await readRows(db)), faults: isOnPostgres() ? [] : findFaults(dataDir) }
  } finally {
    await db.destroy()
  }
}

/** The errors of SQLite's own integrity check. */
function findFaults(dataDir: string): unknown[] {
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true, timeout: 5000 })
  try {
    const integrity = db.prepare('pragma integrity_check').all()
    const isWhole = JSON.stringify(integrity) === JSON.stringify([{ integrity_check: 'ok' }])
    return [...(isWhole ? [] : integrity), ...db.prepare('pragma foreign_key_check').all()]
  } finally {
    db.close()
  }
}
