import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Lets the lease of an unfinished purchase run out without the wait. */
export const expireLease = (dataDir: string, nonce: string): void => setLease(dataDir, nonce, 1)

/** Makes the lease of an unfinished purchase longer than any test. */
export const prolongLease = (dataDir: string, nonce: string): void =>
  setLease(dataDir, nonce, Date.now() + 60 * 60 * 1000)

function setLease(dataDir: string, nonce: string, until: number): void {
  const db = new DatabaseSync(join(dataDir, 'ledger.db'), { timeout: 30_000 })
  db.prepare(`update payment set lease_until = ? where nonce = ? and state <> 'settled'`).run(until, nonce)
  db.close()
}
