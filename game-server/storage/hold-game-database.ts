import { setTimeout as delay } from 'node:timers/promises'
import { usualWholeMs } from '../../src/http/shutdown.ts'

interface Options {
  /** Told once when another host plays there although this one has not let go. */
  readonly onLost: () => void
  /** Told once when another host is waited for. */
  readonly note: (text: string) => void
  /** How long a host that ends is waited for, in milliseconds. */
  readonly waitMs?: number
}

/** A little longer than a program that ends may take. */
const usualWaitMs = usualWholeMs + 3_000
const askAgainMs = 200

/**
 * Makes this process the one game host of a PostgreSQL database, on whichever machine the others are.
 *
 * @returns what lets go of it
 * @throws Error of one sentence
 */
export async function holdGameDatabase(
  url: string,
  { onLost, note, waitMs = usualWaitMs }: Options,
): Promise<() => Promise<void>> {
  const { holdName } = await import('../../src/storage/postgres/hold-name.ts')
  const until = performance.now() + waitMs
  for (let isNoted = false; ; isNoted = true) {
    const letGo = await holdName(url, { name: 'the game host', onLost })
    if (letGo) return letGo
    if (performance.now() > until)
      throw new Error('another game host plays in the database of DATABASE_URL; stop it, or name another database')
    if (!isNoted) note('another game host plays in this database; this one begins when it is gone')
    await delay(askAgainMs)
  }
}
