import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'

/** Whether many may write to this database at once. To SQLite one writes at a time. */
export const isPostgres = <Schema>(db: Kysely<Schema>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * How often a transaction is begun that PostgreSQL undid because of another one: they stood in each other's way (40001,
 * 40P01), or the other has just written what this one was about to write as the first (23505), which it finds now.
 */
const attempts: Readonly<Record<string, number>> = { '40001': 6, '40P01': 6, '23505': 2 }

const attemptsFor = (error: unknown): number =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? (attempts[error.code] ?? 1) : 1

/**
 * Carries out what becomes true together or not at all. On SQLite nobody else writes meanwhile. On PostgreSQL the rows
 * that are written are held to the end; what is only read and must stay so is held with `alone`. `work` may be carried
 * out again, and does nothing outside the database.
 */
export async function transact<Schema, Result>(
  db: Kysely<Schema>,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  if (!isPostgres(db)) return db.transaction().execute(work)
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= attemptsFor(error)) throw error
      await delay(Math.random() * 10 * 2 ** attempt)
    }
}

/**
 * From here to the end of the transaction no other one is past this line for the same thing, in whichever process: for
 * what is decided by rows that are read, or by rows that are not there.
 */
export async function alone<Schema>(tx: Transaction<Schema>, kind: string, ...name: readonly string[]): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([kind, ...name])}, 0))`.execute(tx)
}
