import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { toDatabaseName } from '../books-mark.ts'
import { askToHaveBooks } from '../postgres/books-lock.ts'
import { StorageError } from '../storage-error.ts'
import { type DatabaseName, databases, type OpenDatabase, type Place } from './books.ts'
import { makePostgresBooks } from './postgres-books.ts'
import { reachPostgres } from './reach-postgres.ts'
import { seePostgres } from './see-postgres.ts'

/** How long (ms) the server may take to notice that a program has ended. */
const waitMs = 3000
const askAgainMs = 100

async function isAlone(client: pg.Client): Promise<boolean> {
  const until = performance.now() + waitMs
  for (;;) {
    const asked = await client.query<{ free: boolean }>(askToHaveBooks)
    if (asked.rows[0]?.free === true) return true
    if (performance.now() > until) return false
    await delay(askAgainMs)
  }
}

/** The books in a PostgreSQL database. */
export function postgresPlace(url: string, open: Readonly<Record<DatabaseName, OpenDatabase>>): Place {
  const { name, connect, tell, speaking } = reachPostgres(url)
  return {
    name: toDatabaseName(name),
    setting: `set DATABASE_URL to the address of ${toDatabaseName(name)}`,
    async migrate() {
      for (const database of databases) await (await open[database]('', url)).destroy()
    },
    async hold() {
      const client = await connect()
      try {
        if (!(await tell(isAlone(client))))
          throw new StorageError(`a program uses ${toDatabaseName(name)}; stop it first`)
        return speaking(makePostgresBooks(client))
      } catch (cause) {
        await client.end().catch(() => {})
        throw cause
      }
    },
    look: async () => (await seePostgres(url)).books,
  }
}
