import { sql } from 'kysely'
import { sha256 } from '../core/sha256.ts'
import { alone, isPostgres, transact } from '../storage/transact.ts'
import type { OauthDatabase } from './open-oauth-database.ts'

/** What is to be remembered under a name that only its holder knows. */
export interface OauthRecord {
  readonly payload: string
  readonly grantId?: string | undefined
  readonly uid?: string | undefined
  /** Milliseconds. */
  readonly expiresAt: number
  /** The household of the stranger who caused it; absent for what came of the operator's own yes. */
  readonly household?: string | undefined
}

/** More than any honest request has to say. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/**
 * The memory of the operator's sign-in, over all processes that share the data folder. Whoever reads it learns no
 * token, code or link: each is found by its hash. What has expired is not found, and goes when something new is kept.
 * What strangers cause is bounded in number and in bytes.
 */
export function makeOauthRecords({ db, now }: { db: OauthDatabase; now: () => number }) {
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

    /** @throws TooLarge when a stranger wants too much to be remembered */
    async keep(kind: string, id: string, record: OauthRecord): Promise<void> {
      const { payload, grantId, uid, expiresAt } = record
      const household = record.household === undefined ? null : sha256(record.household)
      if (household !== null && Buffer.byteLength(payload) > maxPayloadBytes) throw new TooLarge()
      const values = { payload, grant_id: grantId ?? null, uid: uid ?? null, expires_at: expiresAt }
      const key = { kind, id_hash: sha256(id) }
      await transact(db, async (tx) => {
        // How much strangers have of a kind is counted before one more is kept.
        await alone(tx, 'sign-in', kind)
        await tx.deleteFrom('oauth_record').where('expires_at', '<=', now()).execute()
        // Whose it was when it began, it stays.
        const { numUpdatedRows } = await tx
          .updateTable('oauth_record')
          .set(values)
          .where('kind', '=', kind)
          .where('id_hash', '=', key.id_hash)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) return
        if (household !== null) await makeRoom(tx, kind, household)
        const fresh = { ...key, ...values, household, consumed_at: null, created_at: now() }
        await tx.insertInto('oauth_record').values(fresh).execute()
      })
    },

    /** Notes what may happen once; false when it has happened already. */
    async keepOnce(kind: string, id: string, expiresAt: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('oauth_record')
        .values({ kind, id_hash: sha256(id), payload: '{}', expires_at: expiresAt, created_at: now() })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
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

    /** From now on no stranger can push it out: the operator is at work on it. */
    async holdForOperator(kind: string, id: string): Promise<void> {
      await db
        .updateTable('oauth_record')
        .set({ household: null })
        .where('kind', '=', kind)
        .where('id_hash', '=', sha256(id))
        .execute()
    },

    async forget(kind: string, id: string): Promise<void> {
      await db.deleteFrom('oauth_record').where('kind', '=', kind).where('id_hash', '=', sha256(id)).execute()
      if (kind === 'Grant') await reachDisk(db)
    },

    /** Everything; answers how many permissions that ended. */
    async forgetAll(): Promise<number> {
      const gone = await db.deleteFrom('oauth_record').returning(['kind', 'expires_at']).execute()
      await reachDisk(db)
      return gone.filter(({ kind, expires_at }) => kind === 'Grant' && expires_at > now()).length
    },

    /** Everything of one kind that belongs to a permission. */
    async forgetGrant(kind: string, grantId: string): Promise<void> {
      await db.deleteFrom('oauth_record').where('kind', '=', kind).where('grant_id', '=', grantId).execute()
    },
  }
}

/**
 * A checkpoint waits until the disk has what was written before it, so that what was taken back stays taken back.
 * PostgreSQL has waited with each write.
 */
async function reachDisk(db: OauthDatabase): Promise<void> {
  if (!isPostgres(db)) await sql`pragma wal_checkpoint`.execute(db)
}

export type OauthRecords = ReturnType<typeof makeOauthRecords>

/** Bytes of one record that a stranger causes: an address of 8192 characters, escaped, is the longest of them. */
const maxPayloadBytes = 24 * 1024

/** How much is remembered of strangers, by kind: in all, and of one household. */
const programs = { rows: 200, ofOne: 20 }
const others = { rows: 500, ofOne: 20 }

/**
 * Makes room for one more record of a household. A household that has its share gives up its own oldest; when there
 * is no room at all, the one that has most gives up its oldest. So whoever asks once is pushed out only when more
 * households ask at the same time than there is room for, and what the operator is at work on never is.
 */
async function makeRoom(db: OauthDatabase, kind: string, household: string): Promise<void> {
  const { rows, ofOne } = kind === 'Client' ? programs : others
  const shares = await db
    .selectFrom('oauth_record')
    .select((select) => ['household', select.fn.countAll<number>().as('count')])
    .where('kind', '=', kind)
    .where('household', 'is not', null)
    .groupBy('household')
    .orderBy('count', 'desc')
    .orderBy((order) => order.fn.min('created_at'))
    .execute()
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  const own = shares.find((share) => share.household === household)
  const giver = own && own.count >= ofOne ? own : total >= rows ? shares[0] : undefined
  if (!giver) return
  const oldest = db
    .selectFrom('oauth_record')
    .select('id_hash')
    .where('kind', '=', kind)
    .where('household', '=', giver.household)
    .orderBy('created_at')
    .limit(1)
  await db.deleteFrom('oauth_record').where('kind', '=', kind).where('id_hash', 'in', oldest).execute()
}
