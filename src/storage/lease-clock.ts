/** The server clock of each database, by its Kysely instance. */
const clocks = new WeakMap<object, ServerClock>()

/** How often the server's time is measured, so that a change of its clock is noticed. */
const measureEveryMs = 10 * 60 * 1000
/** How soon it is measured again after an inaccurate measurement. */
const measureAgainMs = 2000
/** A measurement with a larger `errorMs` is inaccurate. */
const slowMs = 500
/** When `Date.now` and `performance.now` move apart by more, the local clock was set or this machine slept. */
const noticedMs = 1000
/** Clocks that differ by less count as equal. */
const agreeMs = 200
/** How far two clocks drift apart, as a share of the time that passes. */
const drift = 0.0005

interface Measured {
  /** The server's time, in ms since 1970. */
  readonly serverMs: number
  /** When the server read its clock, by `performance.now`. */
  readonly at: number
  /** How far `at` may be off: half the round trip. */
  readonly errorMs: number
  /** `Date.now` at that instant. */
  readonly wallMs: number
}

/** Whether a new measurement is less accurate than the known one and agrees with it: then the known one is kept. */
const saysLess = (heard: Measured, known: Measured): boolean =>
  heard.errorMs > known.errorMs + drift * (heard.at - known.at) &&
  Math.abs(heard.serverMs - known.serverMs - (heard.at - known.at)) <= heard.errorMs + known.errorMs + agreeMs

/**
 * Tracks how far a server's clock is ahead of the local one, also when the local clock is set or the machine sleeps.
 */
export function makeServerClock() {
  let known: Measured | undefined
  let lookedAt = 0
  const cameApart = ({ at, wallMs }: Measured): boolean =>
    Math.abs(Date.now() - wallMs - (performance.now() - at)) > noticedMs

  return {
    /** Whether the server's time has to be measured again. */
    isDoubtful(): boolean {
      if (!known) return true
      const everyMs = known.errorMs > slowMs ? measureAgainMs : measureEveryMs
      return performance.now() - lookedAt > everyMs || cameApart(known)
    },

    /**
     * Records the time with which the server has just responded to a query sent at `askedAt` (by `performance.now`).
     */
    measured(serverMs: number, askedAt: number): void {
      lookedAt = performance.now()
      const errorMs = (lookedAt - askedAt) / 2
      const heard = { serverMs, at: askedAt + errorMs, errorMs, wallMs: Date.now() - errorMs }
      if (!known || cameApart(known) || !saysLess(heard, known)) known = heard
    },

    /** How far the server is ahead, in ms; 0 while the difference is within the error of the measurement. */
    aheadMs(): number {
      if (!known) return 0
      const aheadMs = known.serverMs + performance.now() - known.at - Date.now()
      return Math.abs(aheadMs) > known.errorMs + agreeMs ? Math.round(aheadMs) : 0
    },
  }
}

export type ServerClock = ReturnType<typeof makeServerClock>

/** Sets the clock by which the leases in a database are judged. */
export const keepClock = (db: object, clock: ServerClock): void => void clocks.set(db, clock)

/**
 * The time by which leases are given and judged. Where the database is on a server it is the server's time, because the
 * clocks of the machines that share it may differ by more than a lease lasts.
 *
 * @param now the local clock
 * @returns a clock in ms since 1970
 */
export function leaseClock(db: object, now: () => number): () => number {
  const clock = clocks.get(db)
  return clock ? () => now() + clock.aheadMs() : now
}
