import { sql } from 'kysely'
import { sha256 } from '../core/sha256.ts'
import { alone, isPostgres, transact } from '../storage/transact.ts'
import type { OauthDatabase } from './open-oauth-database.ts'

/** A record under an id that only its holder knows. */
export interface OauthRecord {
  readonly payload: string
  readonly grantId?: string | undefined
  readonly uid?: string | undefined
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** The client key of the stranger who caused it; absent for records that follow from the operator's agreement. */
  readonly household?: string | undefined
}

/** The record is larger than any honest request needs. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/**
 * The stored records of the operator's sign-in, shared by all processes with the same data folder. The database
 * contains no token, code or link, only their hashes. Expired records are not found, and are deleted when a new one is
 * stored. The number and size of records that strangers cause are limited.
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

    /**
     * Stores or updates a record.
     *
     * @throws TooLarge when the record of a stranger exceeds `maxPayloadBytes`
     */
    async keep(kind: string, id: string, record: OauthRecord): Promise<void> {
      const { payload, grantId, uid, expiresAt } = record
      const household = record.household === undefined ? null : sha256(record.household)
      if (household !== null && Buffer.byteLength(payload) > maxPayloadBytes) throw new TooLarge()
      const values = { payload, grant_id: grantId ?? null, uid: uid ?? null, expires_at: expiresAt }
      const key = { kind, id_hash: sha256(id) }
      await transact(db, async (tx) => {
        // Locked, because the records of strangers are counted before one is added.
        await alone(tx, 'sign-in', kind)
        await tx.deleteFrom('oauth_record').where('expires_at', '<=', now()).execute()
        // An update does not change the owner of a record.
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

    /** Stores a record of an event that may happen only once; false when it has happened already. */
    async keepOnce(kind: string, id: string, expiresAt: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('oauth_record')
        .values({ kind, id_hash: sha256(id), payload: '{}', expires_at: expiresAt, created_at: now() })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    /** Consumes a record that is valid once; false when it does not exist, has expired or was consumed before. */
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

    /** Protects a record from eviction by strangers, because the operator is using it. */
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

    /** Deletes everything; returns how many valid permissions that ended. */
    async forgetAll(): Promise<number> {
      const gone = await db.deleteFrom('oauth_record').returning(['kind', 'expires_at']).execute()
      await reachDisk(db)
      return gone.filter(({ kind, expires_at }) => kind === 'Grant' && expires_at > now()).length
    },

    /** Deletes all records of one kind that belong to a permission. */
    async forgetGrant(kind: string, grantId: string): Promise<void> {
      await db.deleteFrom('oauth_record').where('kind', '=', kind).where('grant_id', '=', grantId).execute()
    },
  }
}

/**
 * Waits until a revocation is on disk, so that it survives a power cut: an SQLite checkpoint syncs everything that was
 * written before. PostgreSQL syncs each commit.
 */
async function reachDisk(db: OauthDatabase): Promise<void> {
  if (!isPostgres(db)) await sql`pragma wal_checkpoint`.execute(db)
}

export type OauthRecords = ReturnType<typeof makeOauthRecords>

/** The largest payload of a stranger's record in bytes: an escaped address of 8192 characters fits. */
const maxPayloadBytes = 24 * 1024

/** The largest number of records of strangers by kind: in total, and of one client key. */
const programs = { rows: 200, ofOne: 20 }
const others = { rows: 500, ofOne: 20 }

/**
 * Makes room for one more record of a household (client key). A household at its limit loses its own oldest record. If
 * the total is at its limit, the household with the most records loses its oldest. So a household with one record loses
 * it only when more households ask at the same time than there is room for. Records that the operator is using are not
 * affected.
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
