import pg from 'pg'
import { toPostgresSentence } from '../postgres/postgres-sentence.ts'
import { toConnection } from '../postgres/to-connection.ts'
import { StorageError } from '../storage-error.ts'
import type { Books } from './books.ts'

const connectMs = 5000

/** Reads whole numbers as bigint, because they may be larger than a safe integer. */
const types: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    const { INT2, INT4, INT8 } = pg.types.builtins
    return format !== 'binary' && (type === INT2 || type === INT4 || type === INT8)
      ? BigInt
      : pg.types.getTypeParser(type, format)
  },
}

/**
 * Connects to a PostgreSQL database for work on whole books, by one connection without a statement timeout. Every error
 * that it and its books throw is a `StorageError` that holds no password.
 */
export function reachPostgres(url: string) {
  const connection = toConnection(url)
  const toError = (cause: unknown): Error =>
    cause instanceof StorageError
      ? cause
      : new StorageError(`the database ${connection.name} cannot be used: ${toPostgresSentence(cause)}`, { cause })

  async function tell<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (cause) {
      throw toError(cause)
    }
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connection.config,
      types,
      application_name: 'farthing-move',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    })
    // Without a listener the error would end the process. A query that waits is rejected anyway.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set jit to off')
      return client
    } catch (cause) {
      await client.end().catch(() => {})
      throw toError(cause)
    }
  }

  /** Turns the errors of books into `StorageError`. Those of the server may quote values, but not the connection. */
  const speaking = (books: Books): Books => ({
    mark: () => tell(books.mark()),
    setMark: (mark) => tell(books.setMark(mark)),
    tables: () => tell(books.tables()),
    count: (table) => tell(books.count(table)),
    async *rows(table) {
      const batches = books.rows(table)[Symbol.asyncIterator]()
      for (;;) {
        const next = await tell(batches.next())
        if (next.done === true) return
        yield next.value
      }
    },
    write: (table, rows) => tell(books.write(table, rows)),
    clear: () => tell(books.clear()),
    release: books.release,
  })

  return { name: connection.name, connect, tell, speaking }
}
