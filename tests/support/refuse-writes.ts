import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../src/storage/transact.ts'

/**
 * Makes the database refuse writes to a table, as on a full disk.
 *
 * @param rows which rows, as an SQL condition on `new`; all when absent
 * @returns a function that allows writes again
 */
export async function refuseWrites<Schema>(
  db: Kysely<Schema>,
  what: 'insert' | 'update',
  table: string,
  words = 'disk full',
  rows?: string,
): Promise<() => Promise<void>> {
  const on = sql`${sql.table(table)} ${sql.raw(rows === undefined ? '' : `for each row when (${rows})`)}`
  if (!isPostgres(db)) {
    const trigger = sql`create trigger refusal before ${sql.raw(what)} on ${on} begin select raise(abort, ${sql.lit(words)}); end`
    await trigger.execute(db)
    return async () => void (await sql`drop trigger refusal`.execute(db))
  }
  const body = sql.lit(`begin raise exception '${words}'; end`)
  await sql`create function refuse() returns trigger language plpgsql as ${body}`.execute(db)
  await sql`create trigger refusal before ${sql.raw(what)} on ${on} execute function refuse()`.execute(db)
  return async () => void (await sql`drop function refuse() cascade`.execute(db))
}
