import { sha256 } from '../../core/sha256.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { signInMinutes } from './sign-in-nonces.ts'

/** How long a used message is remembered, in milliseconds: a little longer than it is valid. */
export const shownMs = (signInMinutes + 1) * 60_000

/**
 * Id of the row that marks a restored backup: messages issued before it count as used, because which were is unknown.
 */
export const restoredMark = 'restored'

/** Remembers which messages were used, so that each signs in only once. */
export function makeUsedSignIns({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const used = () => db.selectFrom('used_sign_in').select('until')
  return {
    /** Notes that a message is used; false when it was used before, or may have been before a backup was restored. */
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
