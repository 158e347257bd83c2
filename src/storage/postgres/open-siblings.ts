import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { keepSession } from './keep-session.ts'
import { openLimitUses } from './limit-uses.ts'
import { makePlaces } from './make-places.ts'

const channel = 'farthing_sites'

/** Programs of an older or a newer version may say what this one does not understand. */
const wordSchema = z.object({ topic: z.string(), from: z.string().optional(), fact: z.unknown() })

/** @throws SyntaxError, ZodError when it is nothing that a program of ours says */
const readWord = (text: string) => wordSchema.parse(JSON.parse(text))

interface Options {
  /** Told when the session with the database was lost; it is made anew. */
  readonly onBroken: (error: unknown) => void
  readonly report: (error: unknown) => void
}

/**
 * What the site programs on one database have together while they run: places of which there are only so many, and what
 * they tell each other. None of it is kept.
 *
 * @throws StorageError when the database cannot be used
 */
export async function openSiblings(url: string, { onBroken, report }: Options) {
  const self = randomUUID()
  const listeners = new Map<string, ((fact: unknown) => void)[]>()
  const gaps: (() => void)[] = []

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

  const session = await keepSession(url, {
    channel,
    onMessage: hear,
    onBroken,
    async onRenewed(ask) {
      for (const onGap of gaps) onGap()
      await places.takeAgain(ask)
    },
  })
  const places = makePlaces(session)

  return {
    takePlace: places.take,
    /** What their clients use of limits, counted together. */
    uses,
    /** Tells the others; where there is no connection they learn that they missed something when there is one. */
    tell(topic: string, fact: unknown = null): void {
      const word = JSON.stringify({ topic, from: self, fact })
      // A session that breaks says so itself.
      session.say('select pg_notify($1, $2)', [channel, word]).catch(() => {})
    },
    /** Hears what the others tell. */
    on,
    /** Hears that the others changed something, or may have while nobody could be heard. */
    onChange(topic: string, listener: () => void): void {
      on(topic, listener)
      gaps.push(listener)
    },
    async close(): Promise<void> {
      await session.close()
      await closeUses()
    },
  }
}

export type Siblings = Awaited<ReturnType<typeof openSiblings>>
