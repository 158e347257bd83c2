import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { makeTurns } from '../../core/make-turns.ts'
import { AnswerLost } from '../answer-lost.ts'
import { StorageError } from '../storage-error.ts'
import { askToUseBooks } from './books-lock.ts'
import { toPostgresSentence } from './postgres-sentence.ts'
import { toConnection } from './to-connection.ts'

/** Asks the server one thing along the session. */
type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>

interface Options {
  /** What is said there by any program is heard, by whoever says it as well. */
  readonly channel: string
  readonly onMessage: (text: string) => void
  /** Every connection after the first: what was said meanwhile is lost, and so is what the one of before held. */
  readonly onRenewed: (ask: Ask) => Promise<void>
  readonly onBroken: (error: unknown) => void
}

/** One connection of a program's own, made anew whenever it breaks. */
export interface Session {
  /** @throws AnswerLost when there is no connection, or it broke; whatever it held is let go of then */
  readonly ask: Ask
  /** The same, unless there is no connection just now. */
  readonly say: Ask
  close(): Promise<void>
}

/** Milliseconds. */
const limits = { connect: 5000, answer: 5000, wait: 1000 }
/**
 * The server ends a session that is silent for as long as a lease lasts: so a machine that is cut off and a program that
 * is frozen hold nothing for long.
 */
const silentMs = 10_000
const lookEveryMs = 3000
const againMs = 250

/**
 * Opens a session with a PostgreSQL server for what only a session has: locks that end with it, and messages.
 *
 * @throws StorageError when there is none at first; no word of it holds the password
 */
export async function keepSession(url: string, { channel, onMessage, onRenewed, onBroken }: Options): Promise<Session> {
  const connection = toConnection(url)
  const greeting = `set idle_session_timeout to ${silentMs}; listen ${channel}; ${askToUseBooks}`
  let isClosed = false
  let held: pg.Client | undefined
  let usable = Promise.withResolvers<void>()
  /** Ends a moment after the session broke: however many wait for another one, together they wait as long as one. */
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
    // Whoever waits for an answer is told by that, and everybody by its end.
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
      // A server is asked one thing at a time.
      turns.take('', async () => {
        try {
          return (await client.query(text, [...values])).rows
        } catch (cause) {
          // What the server did of it is not known, and what it gave must not stay taken.
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
    // Whoever hears of its end makes it anew.
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
