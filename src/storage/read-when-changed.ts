import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { isPostgres } from './transact.ts'

interface Version {
  readonly own: number
  readonly others: number
}

/**
 * A SQLite database whose version is the same was not written to in between: `own` counts the rows that this connection
 * wrote (https://sqlite.org/lang_corefunc.html#total_changes), and `others` differs once another one, of this process or
 * not, has committed (https://sqlite.org/pragma.html#pragma_data_version).
 */
const askVersion = sql<Version>`select total_changes() as own, data_version as others from pragma_data_version`

/**
 * Makes a function that resolves with what `read` found, and reads again only where the database may have been written
 * to since, by any process. On PostgreSQL, which counts no such thing, it reads each time. For small results that are
 * requested often; they must not be changed.
 *
 * @example const findNames = readWhenChanged(db, () => db.selectFrom('tag').select('name').execute())
 */
export function readWhenChanged<Schema, Found>(db: Kysely<Schema>, read: () => Promise<Found>): () => Promise<Found> {
  if (isPostgres(db)) return read
  const ask: CompiledQuery<Version> = askVersion.compile(db)
  let kept: (Version & { readonly found: Found }) | undefined
  return async () => {
    const [now] = (await db.executeQuery(ask)).rows
    if (!now) throw new Error('SQLite did not tell the version of its database')
    if (kept?.own === now.own && kept.others === now.others) return kept.found
    // What is written while this reads makes the next call read again.
    const found = await read()
    kept = { ...now, found }
    return found
  }
}
