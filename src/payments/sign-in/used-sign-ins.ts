import { sha256 } from '../../core/sha256.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { signInMinutes } from './sign-in-nonces.ts'

/** How long it is known that a message was shown: a little longer than it is good for. */
export const shownMs = (signInMinutes + 1) * 60_000

/** Stands among the messages that were shown for all of before a backup was restored: which were is not known. */
export const restoredMark = 'restored'

/** Which messages were shown, so that each signs in once. */
export function makeUsedSignIns({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const used = () => db.selectFrom('used_sign_in').select('until')
  return {
    /** Notes that a message was shown; false when it was before, or may have been. */
    async use(wallet: string, { nonce, issuedAt }: { nonce: string; issuedAt: Date }): Promise<boolean> {
      await db.deleteFrom('used_sign_in').where('until', '<', now()).execute()
      const restored = await used().where('id_hash', '=', restoredMark).executeTakeFirst()
      if (restored && issuedAt.getTime() <= restored.until - shownMs) return false
      const noted = await db
        .insertInto('used_sign_in')
        .values({ id_hash: sha256('sign-in', wallet, nonce), until: now() + shownMs })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return noted.numInsertedOrUpdatedRows === 1n
    },
  }
}
