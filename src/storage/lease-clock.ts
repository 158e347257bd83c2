/** What is known of the clock of a database, by its connections. */
const clocks = new WeakMap<object, ServerClock>()

/** A server whose clock is set is noticed after this, */
const measureEveryMs = 10 * 60 * 1000
/** and better known after this where its answer took so long that it says little. */
const measureAgainMs = 2000
const slowMs = 500
/** Our clock was set, or this machine slept, when it came apart by more from how long this process has run. */
const noticedMs = 1000
/** Clocks that differ by less agree. */
const agreeMs = 200
/** What clocks come apart by as they run. */
const drift = 0.0005

interface Measured {
  readonly serverMs: number
  /** When it said so, by `performance.now`, */
  readonly at: number
  /** and how far that may be off. */
  readonly errorMs: number
  /** `Date.now` then. */
  readonly wallMs: number
}

/** Whether an answer says less than what was known before, which it agrees with. */
const saysLess = (heard: Measured, known: Measured): boolean =>
  heard.errorMs > known.errorMs + drift * (heard.at - known.at) &&
  Math.abs(heard.serverMs - known.serverMs - (heard.at - known.at)) <= heard.errorMs + known.errorMs + agreeMs

/** How far the clock of a server is ahead of ours, whatever happens to ours meanwhile. */
export function makeServerClock() {
  let known: Measured | undefined
  let lookedAt = 0
  const cameApart = ({ at, wallMs }: Measured): boolean =>
    Math.abs(Date.now() - wallMs - (performance.now() - at)) > noticedMs

  return {
    /** Whether it is to be asked anew. */
    isDoubtful(): boolean {
      if (!known) return true
      const everyMs = known.errorMs > slowMs ? measureAgainMs : measureEveryMs
      return performance.now() - lookedAt > everyMs || cameApart(known)
    },

    /** The server has just answered with its time, to what was asked at `askedAt` by `performance.now`. */
    measured(serverMs: number, askedAt: number): void {
      lookedAt = performance.now()
      const errorMs = (lookedAt - askedAt) / 2
      const heard = { serverMs, at: askedAt + errorMs, errorMs, wallMs: Date.now() - errorMs }
      if (!known || cameApart(known) || !saysLess(heard, known)) known = heard
    },

    /** In milliseconds; 0 as long as the two may agree. */
    aheadMs(): number {
      if (!known) return 0
      const aheadMs = known.serverMs + performance.now() - known.at - Date.now()
      return Math.abs(aheadMs) > known.errorMs + agreeMs ? Math.round(aheadMs) : 0
    },
  }
}

export type ServerClock = ReturnType<typeof makeServerClock>

/** Says by which clock the leases in a database are. */
export const keepClock = (db: object, clock: ServerClock): void => void clocks.set(db, clock)

/**
 * The time that leases are given and judged by: where the books are on a server, its time, because the clocks of the
 * machines that share them may differ by more than a lease lasts.
 */
export function leaseClock(db: object, now: () => number): () => number {
  const clock = clocks.get(db)
  return clock ? () => now() + clock.aheadMs() : now
}
