import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Lets the lease of an unfinished purchase run out without the wait. */
export function expireLease(dataDir: string, nonce: string): void {
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { timeout: 5000 })
  db.prepare(`update payment set lease_until = 1 where nonce = ? and state <> 'settled'`).run(nonce)
  db.close()
}
