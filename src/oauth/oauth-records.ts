import { sha256 } from '../sha256.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** What is to be remembered under a name that only its holder knows. */
export interface OauthRecord {
  readonly payload: string
  readonly grantId?: string | undefined
  readonly uid?: string | undefined
  /** Milliseconds. */
  readonly expiresAt: number
}

/**
 * The memory of the operator's sign-in, over all processes that share the ledger. Whoever reads it learns no token,
 * code or link: each is found by its hash. What has expired is not found, and goes when something new is kept.
 */
export function makeOauthRecords({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const alive = (kind: string) =>
    db
      .selectFrom('oauth_record')
      .select(['payload', 'consumed_at', 'expires_at'])
      .where('kind', '=', kind)
      .where('expires_at', '>', now())

  return {
    find: (kind: string, id: string) => alive(kind).where('id_hash', '=', sha256(id)).executeTakeFirst(),

    findByUid: (kind: string, uid: string) =>
      alive(kind).where('uid', '=', uid).orderBy('expires_at', 'desc').executeTakeFirst(),

    async keep(
      kind: string,
      id: string,
      { payload, grantId = null, uid = null, expiresAt }: LooseRecord,
    ): Promise<void> {
      const values = { payload, grant_id: grantId, uid, expires_at: expiresAt }
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('oauth_record').where('expires_at', '<=', now()).execute()
        await tx
          .insertInto('oauth_record')
          .values({ kind, id_hash: sha256(id), ...values, consumed_at: null })
          .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(values))
          .execute()
      })
    },

    /** Uses up what serves once; false when it is gone, or somebody was quicker. */
    async consume(kind: string, id: string): Promise<boolean> {
      const at = now()
      const { numUpdatedRows } = await db
        .updateTable('oauth_record')
        .set({ consumed_at: at })
        .where('kind', '=', kind)
        .where('id_hash', '=', sha256(id))
        .where('consumed_at', 'is', null)
        .where('expires_at', '>', at)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async forget(kind: string, id: string): Promise<void> {
      await db.deleteFrom('oauth_record').where('kind', '=', kind).where('id_hash', '=', sha256(id)).execute()
    },

    /** Everything; answers how many permissions that ended. */
    async forgetAll(): Promise<number> {
      const gone = await db.deleteFrom('oauth_record').returning(['kind', 'expires_at']).execute()
      return gone.filter(({ kind, expires_at }) => kind === 'Grant' && expires_at > now()).length
    },

    /** Everything of one kind that belongs to a permission. */
    async forgetGrant(kind: string, grantId: string): Promise<void> {
      await db.deleteFrom('oauth_record').where('kind', '=', kind).where('grant_id', '=', grantId).execute()
    },
  }
}

type LooseRecord = Omit<OauthRecord, 'grantId' | 'uid'> & {
  readonly grantId?: string | null | undefined
  readonly uid?: string | null | undefined
}

export type OauthRecords = ReturnType<typeof makeOauthRecords>
