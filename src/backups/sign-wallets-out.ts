import { DatabaseSync } from 'node:sqlite'
import { restoredMark, shownMs } from '../payments/sign-in/used-sign-ins.ts'

/**
 * Ends in a ledger that is restored what wallets were signed in with: whoever signed out since the backup stays signed
 * out, and a message that was shown since is not good again. Older backups know no wallets.
 *
 * @param file of the ledger, which nobody uses
 * @param now milliseconds since 1970
 */
export function signWalletsOut(file: string, now: number): void {
  const db = new DatabaseSync(file)
  try {
    const knows = db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'wallet_session'").get()
    if (!knows) return
    db.exec('delete from wallet_session')
    db.prepare('insert or replace into used_sign_in (id_hash, until) values (?, ?)').run(restoredMark, now + shownMs)
  } finally {
    db.close()
  }
}
