import pg from 'pg'
import { StorageError } from '../storage-error.ts'
import { toPostgresSentence } from './postgres-sentence.ts'
import { toConnection } from './to-connection.ts'

interface Options {
  /** What only one program at a time may be. */
  readonly name: string
  /** Told once when another has it, although it was not let go. */
  readonly onLost: () => void
}

const connectMs = 5000
const answerMs = 5000
/** Whether the connection still stands is asked this often. */
const lookEveryMs = 5000
/** Whoever took it meanwhile would have to be gone again after this, and has done nothing then. */
const againMs = 250

/**
 * Holds a name in a PostgreSQL database, for as long as this process has a connection to it. A connection that breaks is
 * made again at once: when the server was away, so was everybody else.
 *
 * @returns what lets go of it; undefined while another program has it
 * @throws StorageError when the database cannot be reached
 */
export async function holdName(url: string, { name, onLost }: Options): Promise<(() => Promise<void>) | undefined> {
  const connection = toConnection(url)
  let isReleased = false
  let timer: NodeJS.Timeout | undefined
  let held: pg.Client | undefined

  async function take(): Promise<boolean> {
    const client = new pg.Client({
      ...connection.config,
      application_name: 'farthing-hold',
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const asked = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [name])
      if (asked.rows[0]?.taken === true) {
        held = client
        return true
      }
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    await client.end()
    return false
  }

  const later = (ms: number, work: () => Promise<void>): void => {
    if (!isReleased) timer = setTimeout(() => void work(), ms).unref()
  }

  async function look(): Promise<void> {
    try {
      await held?.query('select 1')
      later(lookEveryMs, look)
    } catch {
      void held?.end().catch(() => {})
      held = undefined
      await takeAgain()
    }
  }

  async function takeAgain(): Promise<void> {
    // Where it cannot be asked, nobody else can be told that it is free.
    const isTaken = await take().catch(() => undefined)
    if (isReleased) await held?.end().catch(() => {})
    else if (isTaken === undefined) later(againMs, takeAgain)
    else if (isTaken) watch()
    else onLost()
  }

  function watch(): void {
    later(lookEveryMs, look)
    held?.once('end', () => {
      if (isReleased || held === undefined) return
      clearTimeout(timer)
      held = undefined
      void takeAgain()
    })
  }

  try {
    if (!(await take())) return undefined
  } catch (cause) {
    throw new StorageError(`the database ${connection.name} cannot be used: ${toPostgresSentence(cause)}`, { cause })
  }
  watch()
  return async () => {
    isReleased = true
    clearTimeout(timer)
    await held?.end().catch(() => {})
  }
}
