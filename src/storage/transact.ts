import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'
import { GroupCommitDatabase } from './group-commit.ts'

/** Whether this is PostgreSQL, where several transactions write at once. SQLite has one writer at a time. */
export const isPostgres = <Schema>(db: Kysely<Schema>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * How often a transaction is tried that PostgreSQL rolled back because of another one: after a serialization failure
 * (40001), a deadlock (40P01), or a unique violation (23505): the other has just inserted the row, and it is found now.
 */
const attempts: Readonly<Record<string, number>> = { '40001': 6, '40P01': 6, '23505': 2 }

const attemptsFor = (error: unknown): number =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? (attempts[error.code] ?? 1) : 1

/**
 * Runs `work` as one transaction. On SQLite there is no other writer meanwhile, and transactions that are asked for at
 * once share a commit. On PostgreSQL written rows stay locked to the end; a decision that depends on rows that are only
 * read needs `alone`. `work` may run several times, so it must have no effect outside the database.
 */
export async function transact<Schema, Result>(
  db: Kysely<Schema>,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  if (db instanceof GroupCommitDatabase) return db.transactInGroup(work)
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= attemptsFor(error)) throw error
      await delay(Math.random() * 10 * 2 ** attempt)
    }
}

/**
 * Takes the lock of this name, shared by all processes, until the end of the transaction: for decisions that depend on
 * rows that are only read, or on rows that do not exist. Nothing to do on SQLite, which has one writer at a time.
 */
export async function alone<Schema>(tx: Transaction<Schema>, kind: string, ...name: readonly string[]): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([kind, ...name])}, 0))`.execute(tx)
}
