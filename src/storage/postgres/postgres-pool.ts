import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { AnswerLost } from '../answer-lost.ts'
import { readMark, toMarkSentence } from '../books-mark.ts'
import type { ServerClock } from '../lease-clock.ts'
import type { Durability } from '../node-sqlite.ts'
import { StorageError } from '../storage-error.ts'
import { askToUseBooks, markOfBooks } from './books-lock.ts'
import { postgresTypes } from './postgres-types.ts'
import type { Connection } from './to-connection.ts'

interface Options {
  readonly schema: string
  readonly durability: Durability
  /** Maximum number of connections. */
  readonly most: number
  /** Whether statements have no timeout. */
  readonly isPatient: boolean
  /** Is given the server's time when a connection is opened, and whenever it asks for it. */
  readonly clock?: ServerClock
}

/** Milliseconds. `lock`: as long as a writer of SQLite waits for another writer. */
const limits = { connect: 5000, statement: 30_000, lock: 5000, idleInTransaction: 30_000, idle: 30_000, close: 3000 }
/** The server cancels statements that take too long; where not even that error arrives, the connection is dead. */
const answerMs = limits.statement + 5000

const serverTime = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The first statements of each connection. They ask whether it is a replica, which may lack the newest payments. */
const toGreeting = ({ schema, durability, isPatient }: Options): string =>
  [
    `set search_path to "${schema}"`,
    `set statement_timeout to ${isPatient ? 0 : limits.statement}`,
    `set lock_timeout to ${limits.lock}`,
    `set idle_in_transaction_session_timeout to ${limits.idleInTransaction}`,
    `set default_transaction_isolation to 'read committed'`,
    ...(durability === 'normal' ? ['set synchronous_commit to off'] : []),
    askToUseBooks,
    `select ${markOfBooks} as mark, pg_is_in_recovery() as standby, current_setting('synchronous_commit') as commit,
       current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, ${serverTime} as time`,
  ].join('; ')

interface Greeted {
  readonly mark: string | null
  readonly standby: boolean
  readonly commit: string
  readonly fsync: string
  readonly encoding: string
  readonly time: number
}

function assertUsable({ standby, commit, fsync, encoding, mark: text }: Greeted, durability: Durability): void {
  const mark = readMark(text)
  if (mark) throw new StorageError(toMarkSentence(mark))
  if (standby)
    throw new StorageError('the server is a replica, which may not know the newest payments; name the primary')
  if (encoding !== 'UTF8') throw new StorageError(`the database is written in ${encoding}; make one in UTF8`)
  if (durability !== 'full') return
  if (fsync !== 'on') throw new StorageError('the server has fsync off, so a power cut may take sales; set it to on')
  if (commit === 'off')
    throw new StorageError(
      'synchronous_commit is off, so a crash of the server may take sales; set it to on for its user',
    )
}

/** Whether the server reported the error and is still there, or our own conversion of values failed. */
const isAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? error.severity !== 'FATAL' && error.severity !== 'PANIC'
    : error instanceof RangeError || error instanceof TypeError

/**
 * Connections to one schema of a PostgreSQL database. After the server was away, the next statement connects again. No
 * error of a connection ends the process; a statement whose response was lost with it fails with `AnswerLost`.
 */
export function makePostgresPool({ config }: Connection, options: Options): PostgresPool {
  const pool = new pg.Pool({
    ...config,
    max: options.most,
    types: postgresTypes,
    application_name: `farthing-${options.schema}`,
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: limits.idle,
    ...(!options.isPatient && { query_timeout: answerMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const ignore = (): void => {}
  pool.on('error', ignore)
  // Also while a client is in use: a query that waits is rejected anyway.
  pool.on('connect', (client) => client.on('error', ignore))
  const greeted = new WeakSet<pg.PoolClient>()
  const greeting = toGreeting(options)

  async function greet(client: pg.PoolClient): Promise<void> {
    const askedAt = performance.now()
    const answers: unknown = await client.query(greeting)
    const last: pg.QueryResult<Greeted> | undefined = Array.isArray(answers) ? answers.at(-1) : undefined
    const use: pg.QueryResult<{ free: boolean }> | undefined = Array.isArray(answers) ? answers.at(-2) : undefined
    const [row] = last?.rows ?? []
    if (!row) throw new StorageError('the server does not answer as PostgreSQL does')
    if (use?.rows[0]?.free !== true) throw new StorageError('its books are being moved; start again when that is done')
    assertUsable(row, options.durability)
    options.clock?.measured(row.time, askedAt)
    greeted.add(client)
  }

  async function measure(client: pg.PoolClient, clock: ServerClock): Promise<void> {
    const askedAt = performance.now()
    const { rows } = await client.query<{ time: number }>(`select ${serverTime} as time`)
    if (rows[0]) clock.measured(rows[0].time, askedAt)
  }

  return {
    options: pool.options,
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect()
      try {
        if (!greeted.has(client)) await greet(client)
        else if (options.clock?.isDoubtful() === true) await measure(client, options.clock)
      } catch (error) {
        client.release(true)
        throw error
      }
      return toLossless(client)
    },
    /** Closes all connections. Waits only briefly for a server that does not respond. */
    async end(): Promise<void> {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([pool.end(), new Promise((resolve) => (timer = setTimeout(resolve, limits.close)))])
      clearTimeout(timer)
    },
  }
}

/** Wraps a connection: it tells errors of the server from lost responses, and is not reused after a lost one. */
function toLossless(client: pg.PoolClient): PostgresPoolClient {
  let isLost = false

  async function ask(text: string, values: readonly unknown[]): Promise<unknown> {
    // The server has rolled back what it did not commit; trying to would hide why it failed.
    if (isLost && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
    try {
      return await client.query(text, [...values])
    } catch (cause) {
      if (isAnswer(cause)) throw cause
      isLost = true
      throw new AnswerLost('the connection to the database was lost', { cause })
    }
  }

  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('nothing is read by a cursor')
    return ask(text, values)
  }

  return { query, release: (discard) => client.release(isLost || discard === true) }
}
