import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'

interface Ledger {
  readonly open: (migrations: typeof ledgerMigrations) => Promise<Kysely<object>>
  /** The message about a failed migration. */
  readonly complaint: string | RegExp
  /** Whether the table exists that the failed migration created before its error. */
  readonly hasHalf: (db: Kysely<object>) => Promise<boolean>
}

/**
 * Opens a ledger of an older version with the three latest migrations and another one, which fails in its middle, and
 * expects that the older version finds its data unchanged, and nothing else.
 */
export async function expectNothingOfFailure({ open, complaint, hasHalf }: Ledger): Promise<void> {
  const older = Object.fromEntries(Object.entries(ledgerMigrations).slice(0, -3))
  const before = await open(older)
  await sql`insert into readiness (id, at) values (1, 5)`.execute(before)
  await before.destroy()
  const failing: typeof ledgerMigrations = {
    ...ledgerMigrations,
    '999_fails': {
      async up(db) {
        await sql`create table half_made (id integer)`.execute(db)
        await sql`insert into nowhere values (1)`.execute(db)
      },
    },
  }
  await expect(open(failing)).rejects.toThrow(complaint)
  const again = await open(older)
  expect([await hasHalf(again), (await sql`select at from readiness`.execute(again)).rows]).toEqual([
    false,
    [{ at: 5 }],
  ])
  await again.destroy()
}
