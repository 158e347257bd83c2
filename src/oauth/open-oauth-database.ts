import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { openDatabase } from '../storage/open-database.ts'

/** What the operator's sign-in remembers: programs, sessions, codes, tokens, links. Times are integer milliseconds. */
interface OauthRecordTable {
  kind: string
  /** SHA-256 of what the holder shows; nothing that opens a door is kept itself. */
  id_hash: string
  /** As JSON. */
  payload: string
  /** The permission it belongs to; what belongs to one is revoked together. Null for a program never permitted. */
  grant_id: string | null
  /** Another name it is found by. */
  uid: string | null
  /** What serves once has served. */
  consumed_at: number | null
  expires_at: number
  created_at: number
  /** SHA-256 of the household that caused it; null for what came of the operator's own yes. */
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
 * Opens `oauth.db`. It is no part of the ledger, because strangers cause most of what is written here; it need not be
 * backed up, because what it permits can be permitted again. A power cut may take its last moments, except that what
 * was taken back stays so.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours; when the server
 * cannot be used
 */
export function openOauthDatabase(path: string, url?: string): Promise<OauthDatabase> {
  // A server waits for the disk once for all who write just then; a file is waited for where it matters.
  const durability = url === undefined ? 'normal' : 'full'
  return openDatabase(path, { what: 'sign-in database', schema: 'oauth', durability, migrations }, url)
}
