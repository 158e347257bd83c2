import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { openDatabase } from '../storage/open-database.ts'

/**
 * The records of the operator's sign-in: clients, sessions, codes, tokens, links. Times are milliseconds since 1970.
 */
interface OauthRecordTable {
  kind: string
  /** SHA-256 of the token, code or id; the value itself is never stored. */
  id_hash: string
  /** The payload as JSON. */
  payload: string
  /**
   * The permission (grant) that it belongs to, with which it is revoked; null for a client that was never permitted
   * anything.
   */
  grant_id: string | null
  /** A second id for lookups. */
  uid: string | null
  /** When a record that is valid once was used. */
  consumed_at: number | null
  expires_at: number
  created_at: number
  /** SHA-256 of the client key that caused it; null for records that follow from the operator's agreement. */
  household: string | null
}

interface OauthSchema {
  oauth_record: OauthRecordTable
}

export type OauthDatabase = Kysely<OauthSchema>

const migrations: Record<string, Migration> = {
  '001_records': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('oauth_record')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('id_hash', 'text', (column) => column.notNull())
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('grant_id', 'text')
        .addColumn('uid', 'text')
        .addColumn('consumed_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('household', 'text')
        .addPrimaryKeyConstraint('one_record_an_id', ['kind', 'id_hash'])
        .execute()
      const index = (
        name: string,
        columns: ('grant_id' | 'kind' | 'uid' | 'expires_at' | 'household' | 'created_at')[],
      ) => db.schema.createIndex(name).on('oauth_record').columns(columns).execute()
      await index('oauth_record_by_grant', ['grant_id'])
      await index('oauth_record_by_uid', ['kind', 'uid'])
      await index('oauth_record_by_time', ['expires_at'])
      await index('oauth_record_by_household', ['kind', 'household', 'created_at'])
    },
  },
}

/**
 * Opens `oauth.db`. It is separate from the ledger because strangers cause most of its writes. It needs no backup,
 * because permissions can be given again. A power cut may lose the last writes, except revocations.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours; when the server
 * cannot be used
 */
export function openOauthDatabase(path: string, url?: string): Promise<OauthDatabase> {
  // A database server syncs once for all concurrent commits. A file is synced only where it matters.
  const durability = url === undefined ? 'normal' : 'full'
  return openDatabase(path, { what: 'sign-in database', schema: 'oauth', durability, migrations }, url)
}
