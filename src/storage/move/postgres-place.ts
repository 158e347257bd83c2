import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { toDatabaseName } from '../books-mark.ts'
import { askToHaveBooks } from '../postgres/books-lock.ts'
import { toPostgresSentence } from '../postgres/postgres-sentence.ts'
import { toConnection } from '../postgres/to-connection.ts'
import { StorageError } from '../storage-error.ts'
import { type Books, type DatabaseName, databases, type OpenDatabase, type Place } from './books.ts'
import { makePostgresBooks } from './postgres-books.ts'

const connectMs = 5000
/** The server notices a moment later that a program is gone. */
const waitMs = 3000
const askAgainMs = 100

/** Reads whole numbers as they are, however large. */
const types: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    const { INT2, INT4, INT8 } = pg.types.builtins
    return format !== 'binary' && (type === INT2 || type === INT4 || type === INT8)
      ? BigInt
      : pg.types.getTypeParser(type, format)
  },
}

/** The books in a PostgreSQL database. */
export function postgresPlace(url: string, open: Readonly<Record<DatabaseName, OpenDatabase>>): Place {
  const connection = toConnection(url)
  const told = (cause: unknown): Error =>
    new StorageError(`the database ${connection.name} cannot be used: ${toPostgresSentence(cause)}`, { cause })

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connection.config,
      types,
      application_name: 'farthing-move',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    })
    // Whoever waits for an answer is told by that.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set jit to off')
      return client
    } catch (cause) {
      await client.end().catch(() => {})
      throw told(cause)
    }
  }

  async function isAlone(client: pg.Client): Promise<boolean> {
    const until = performance.now() + waitMs
    for (;;) {
      const asked = await client.query<{ free: boolean }>(askToHaveBooks)
      if (asked.rows[0]?.free === true) return true
      if (performance.now() > until) return false
      await delay(askAgainMs)
    }
  }

  /** What the server says of a statement may repeat what it was given, but never how it is reached. */
  const speaking = (books: Books): Books => {
    const say = async <Result>(work: Promise<Result>): Promise<Result> => {
      try {
        return await work
      } catch (cause) {
        throw told(cause)
      }
    }
    return {
      mark: () => say(books.mark()),
      setMark: (mark) => say(books.setMark(mark)),
      tables: () => say(books.tables()),
      count: (table) => say(books.count(table)),
      async *rows(table) {
        const batches = books.rows(table)[Symbol.asyncIterator]()
        for (;;) {
          const next = await say(batches.next())
          if (next.done === true) return
          yield next.value
        }
      },
      write: (table, rows) => say(books.write(table, rows)),
      clear: () => say(books.clear()),
      release: books.release,
    }
  }

  return {
    name: toDatabaseName(connection.name),
    setting: `set DATABASE_URL to the address of ${toDatabaseName(connection.name)}`,
    async migrate() {
      for (const name of databases) await (await open[name]('', url)).destroy()
    },
    async hold() {
      const client = await connect()
      try {
        if (!(await isAlone(client)))
          throw new StorageError(`a program uses ${toDatabaseName(connection.name)}; stop it first`)
        return speaking(makePostgresBooks(client))
      } catch (cause) {
        await client.end().catch(() => {})
        throw cause instanceof StorageError ? cause : told(cause)
      }
    },
    look: async () => speaking(makePostgresBooks(await connect())),
  }
}
