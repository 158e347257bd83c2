import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { makeTurns } from '../../core/make-turns.ts'
import { AnswerLost } from '../answer-lost.ts'
import { StorageError } from '../storage-error.ts'
import { askToUseBooks } from './books-lock.ts'
import { toPostgresSentence } from './postgres-sentence.ts'
import { toConnection } from './to-connection.ts'

/** Runs one query in the session and returns its rows. */
type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>

interface Options {
  /** Notifications (LISTEN) from any program on this channel are received, also those that this program sends. */
  readonly channel: string
  readonly onMessage: (text: string) => void
  /** Called for each connection after the first: notifications in between and the locks of the old one are lost. */
  readonly onRenewed: (ask: Ask) => Promise<void>
  readonly onBroken: (error: unknown) => void
}

/** One dedicated connection of a program, reopened whenever it breaks. */
export interface Session {
  /** @throws AnswerLost when there is no connection, or it broke; all locks that it held are released then */
  readonly ask: Ask
  /** Like `ask`, but does nothing and returns no rows while there is no connection. */
  readonly say: Ask
  close(): Promise<void>
}

/** Milliseconds. */
const limits = { connect: 5000, answer: 5000, wait: 1000 }
/**
 * The server ends a session that is silent for as long as a lease lasts, so that a machine that is cut off or a program
 * that is frozen does not hold locks for long.
 */
const silentMs = 10_000
const lookEveryMs = 3000
const againMs = 250

/**
 * Opens a session with a PostgreSQL server for what only a session has: locks that end with it, and notifications.
 *
 * @throws StorageError when the first connection fails; its message does not hold the password
 */
export async function keepSession(url: string, { channel, onMessage, onRenewed, onBroken }: Options): Promise<Session> {
  const connection = toConnection(url)
  const greeting = `set idle_session_timeout to ${silentMs}; listen ${channel}; ${askToUseBooks}`
  let isClosed = false
  let held: pg.Client | undefined
  let usable = Promise.withResolvers<void>()
  /** Resolves a moment after the session broke: all queries that wait for a new session share this one wait. */
  let patience = Promise.resolve()
  const turns = makeTurns()

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connection.config,
      application_name: 'farthing-session',
      connectionTimeoutMillis: limits.connect,
      query_timeout: limits.answer,
      keepAlive: true,
    })
    // Without a listener the error would end the process. A waiting query is rejected, and `end` follows.
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      await client.connect()
      const answers: unknown = await client.query(greeting)
      const use: pg.QueryResult<{ free: boolean }> | undefined = Array.isArray(answers) ? answers.at(-1) : undefined
      if (use?.rows[0]?.free !== true)
        throw new StorageError('its books are being moved; start again when that is done')
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  const askAlong =
    (client: pg.Client): Ask =>
    (text, values = []) =>
      // Queries run one at a time.
      turns.take('', async () => {
        try {
          return (await client.query(text, [...values])).rows
        } catch (cause) {
          // Whether the server ran it is not known. Dropping the session releases a lock that it may have given.
          drop(client, cause)
          throw new AnswerLost('the session with the database was lost', { cause })
        }
      })

  function use(client: pg.Client): void {
    held = client
    client.once('end', () => drop(client, new AnswerLost('the database has ended the session')))
    usable.resolve()
  }

  function drop(client: pg.Client, cause: unknown): void {
    if (held !== client) return
    held = undefined
    usable = Promise.withResolvers()
    patience = delay(limits.wait, undefined, { ref: false })
    void client.end().catch(() => {})
    if (isClosed) return
    onBroken(cause)
    void renew()
  }

  async function renew(): Promise<void> {
    while (!isClosed) {
      const client = await open().catch(() => undefined)
      if (client && isClosed) await client.end().catch(() => {})
      else if (client) {
        use(client)
        await onRenewed(askAlong(client)).catch(onBroken)
        return
      }
      await delay(againMs, undefined, { ref: false })
    }
  }

  const say: Ask = async (text, values) => (held ? askAlong(held)(text, values) : [])

  try {
    use(await open())
  } catch (cause) {
    throw new StorageError(`the database ${connection.name} cannot be used: ${toPostgresSentence(cause)}`, { cause })
  }
  const timer = setInterval(() => {
    // A failure has dropped the session, which is reopened.
    say('select 1').catch(() => {})
  }, lookEveryMs).unref()

  return {
    say,
    async ask(text, values) {
      if (!held) await Promise.race([usable.promise, patience])
      if (!held) throw new AnswerLost('there is no session with the database')
      return askAlong(held)(text, values)
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await held?.end().catch(() => {})
    },
  }
}
