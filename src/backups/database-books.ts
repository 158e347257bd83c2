import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { toMarkSentence } from '../storage/books-mark.ts'
import type { OpenDatabase, Table } from '../storage/move/books.ts'
import { copyTables } from '../storage/move/copy-tables.ts'
import { seePostgres } from '../storage/move/see-postgres.ts'
import { sqlitePlace } from '../storage/move/sqlite-place.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import type { BooksSource, Snapshot } from './books-source.ts'
import { describeDatabase, findNewestSale } from './describe-database.ts'
import type { DatabaseName, Manifest } from './manifest.ts'

/** The databases that are backed up. `oauth` is not: a restore must not bring permissions of clients back. */
const wanted = ['ledger', 'game'] as const
type Kept = (typeof wanted)[number]

const sizeQuery = `
  select coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0)::text as bytes
  from pg_tables where schemaname in ('ledger', 'game')`
const productsQuery = 'select distinct body_file as name from ledger.payment where body_file is not null'
const toMigrationsQuery = (schema: Kept): string =>
  `select name from ${schema}.kysely_migration order by name collate "C"`

const sizesSchema = z.tuple([z.object({ bytes: z.coerce.number() })])
const namesSchema = z.array(z.object({ name: z.string() })).transform((rows) => rows.map(({ name }) => name))

const files = ['game.db', 'ledger.db'] as const satisfies DatabaseName[]
type Seen = Awaited<ReturnType<typeof seePostgres>>

/** Books in a PostgreSQL database. They are copied row by row, so that the backup can be restored to either engine. */
export function databaseBooks(url: string, openGame: OpenDatabase): BooksSource {
  const open: Readonly<Record<Kept, OpenDatabase>> = { ledger: openLedgerDatabase, game: openGame }

  async function see<Result>(work: (seen: Seen) => Promise<Result>): Promise<Result> {
    const seen = await seePostgres(url)
    try {
      const mark = await seen.books.mark()
      if (mark) throw new Error(toMarkSentence(mark))
      if ((await seen.books.tables()).length === 0)
        throw new Error('there are no books in the database of DATABASE_URL')
      return await work(seen)
    } finally {
      await seen.books.release()
    }
  }

  async function copyRows({ books, ask }: Seen, folder: string, say: (line: string) => void): Promise<Snapshot> {
    // A shop without a game has no tables of the game.
    const has = new Set((await books.tables()).map(({ database }) => database))
    const kept = wanted.filter((name) => has.has(name))
    const place = sqlitePlace(folder, Object.fromEntries(kept.map((name) => [name, open[name]])), { isScratch: true })
    await place.migrate()
    const copy = await place.hold()
    try {
      const isWanted = ({ database }: Table): boolean => wanted.some((name) => name === database)
      await copyTables({ source: books, target: copy, isWanted, say, otherwise: 'nothing was backed up' })
    } finally {
      await copy.release()
    }
    const snapshot = describeCopies(folder)
    for (const name of kept) {
      const migrations = namesSchema.parse(await ask(toMigrationsQuery(name)))
      if (!isDeepStrictEqual(snapshot.databases[`${name}.db`]?.migrations, migrations))
        throw new Error(`the tables of the ${name} are of another version than this program, which cannot back them up`)
    }
    return snapshot
  }

  return {
    measure: () => see(async ({ ask }) => sizesSchema.parse(await ask(sizeQuery))[0].bytes),
    productNames: () => see(async ({ ask }) => namesSchema.parse(await ask(productsQuery))),
    copy: (folder, say) => see((seen) => copyRows(seen, folder, say)),
  }
}

/** Describes the copies, which have been compared already, and turns each into a single file without a log. */
function describeCopies(folder: string): Snapshot {
  const databases: Manifest['databases'] = {}
  let newestSaleAt: number | null = null
  for (const name of files) {
    if (!existsSync(join(folder, name))) continue
    const db = new DatabaseSync(join(folder, name))
    try {
      db.exec('pragma journal_mode = delete')
      databases[name] = describeDatabase(db)
      if (name === 'ledger.db') newestSaleAt = findNewestSale(db)
    } finally {
      db.close()
    }
  }
  return { databases, newestSaleAt }
}
