import { DatabaseSync } from 'node:sqlite'
import { restoredMark, shownMs } from '../payments/sign-in/used-sign-ins.ts'

/**
 * Ends all wallet sessions in a restored ledger: a wallet that signed out since the backup stays signed out, and a
 * sign-in message that was used since cannot be used again. Older backups have no table of wallet sessions.
 *
 * @param file the ledger, which no program uses
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
