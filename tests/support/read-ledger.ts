import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

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
