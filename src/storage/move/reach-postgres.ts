import pg from 'pg'
import { toPostgresSentence } from '../postgres/postgres-sentence.ts'
import { toConnection } from '../postgres/to-connection.ts'
import { StorageError } from '../storage-error.ts'
import type { Books } from './books.ts'

const connectMs = 5000

/** Reads whole numbers as they are, however large. */
const types: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    const { INT2, INT4, INT8 } = pg.types.builtins
    return format !== 'binary' && (type === INT2 || type === INT4 || type === INT8)
      ? BigInt
      : pg.types.getTypeParser(type, format)
  },
}

/**
 * How whole books are reached in a PostgreSQL database: by one connection whose statements may take as long as they do.
 * What it and its books throw is a `StorageError` that holds no password.
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
    // Whoever waits for an answer is told by that.
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

  /** What the server says of a statement may repeat what it was given, but never how it is reached. */
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
