import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { keepSession } from './keep-session.ts'
import { openLimitUses } from './limit-uses.ts'
import { makePlaces } from './make-places.ts'

const channel = 'farthing_sites'

/** A message between programs. Those of an older or newer version may send some that this one does not understand. */
const wordSchema = z.object({ topic: z.string(), from: z.string().optional(), fact: z.unknown() })

/** @throws SyntaxError, ZodError when the text is not such a message */
const readWord = (text: string) => wordSchema.parse(JSON.parse(text))

interface Options {
  /** Called when the session with the database was lost; it is reopened. */
  readonly onBroken: (error: unknown) => void
  readonly report: (error: unknown) => void
}

/**
 * What the site processes on one database share while they run: a limited number of places, counts of rate limits, and
 * messages to each other. None of it is durable.
 *
 * @throws StorageError when the database cannot be used
 */
export async function openSiblings(url: string, { onBroken, report }: Options) {
  const self = randomUUID()
  const listeners = new Map<string, ((fact: unknown) => void)[]>()
  /** The listeners to changes, by topic. */
  const changes = new Map<string, (() => void)[]>()

  const hear = (text: string): void => {
    try {
      const { topic, from, fact } = readWord(text)
      if (from !== self) for (const listener of listeners.get(topic) ?? []) listener(fact)
    } catch (error) {
      report(error)
    }
  }

  const { close: closeUses, ...uses } = await openLimitUses(url)
  const on = (topic: string, listener: (fact: unknown) => void): void => {
    listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
  }

  const tell = (topic: string, fact: unknown = null): void => {
    const word = JSON.stringify({ topic, from: self, fact })
    // A session that breaks reports that itself.
    session.say('select pg_notify($1, $2)', [channel, word]).catch(() => {})
  }

  const session = await keepSession(url, {
    channel,
    onMessage: hear,
    onBroken,
    async onRenewed(ask) {
      for (const [topic, onChange] of changes) {
        for (const listener of onChange) listener()
        // What this process changed meanwhile was not announced.
        tell(topic)
      }
      await places.takeAgain(ask)
    },
  })
  const places = makePlaces(session)

  return {
    takePlace: places.take,
    /** How much clients have used of rate limits, counted over all processes. */
    uses,
    /**
     * Sends a message to the other processes. It is lost while this process, or the receiver, has no connection; only
     * topics of `onChange` are announced again when the connection is back.
     */
    tell,
    /** Calls the listener with each message of the other processes on a topic. */
    on,
    /** Calls the listener when another process changed something, and after a time without a connection. */
    onChange(topic: string, listener: () => void): void {
      on(topic, listener)
      changes.set(topic, [...(changes.get(topic) ?? []), listener])
    },
    async close(): Promise<void> {
      await session.close()
      await closeUses()
    },
  }
}

export type Siblings = Awaited<ReturnType<typeof openSiblings>>
