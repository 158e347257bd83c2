/** How many failures in which time make us look whether a service is down, and for how long it is then left alone. */
export interface BreakerLimits {
  failures: number
  windowMs: number
  restMs: number
}

/** What programs that use the same service tell each other: that it failed them, and that they found it down. */
export type BreakerWord = 'failed' | 'down'

/**
 * Remembers recent failures of a service so that no work is started that it would waste. Failures alone prove nothing:
 * one hostile payment can make a service fail on that payment, as often as it is sent. Only when something that is
 * known to be good fails as well is the service left alone, for everybody and for a while.
 *
 * Failures of other programs count as well. What they found down is looked at here, too, and not just believed: what is
 * broken may be their way to it.
 *
 * @param tell the other programs, where there are any
 */
export function makeCircuitBreaker(
  { failures, windowMs, restMs }: BreakerLimits,
  now: () => number,
  tell: (word: BreakerWord) => void = () => {},
) {
  let recent: number[] = []
  let openUntil = 0
  let looking: Promise<void> | undefined

  const look = async (isUp: () => Promise<boolean>): Promise<void> => {
    const up = await isUp()
    recent = []
    if (up) return
    openUntil = now() + restMs
    tell('down')
  }

  const note = (times: number): void => {
    const at = now()
    recent = [...recent.filter((time) => time > at - windowMs), ...Array.from({ length: times }, () => at)]
  }

  const lookIfNeeded = async (isUp: () => Promise<boolean>): Promise<void> => {
    if (recent.length < failures || openUntil > now()) return
    looking ??= look(isUp).finally(() => {
      looking = undefined
    })
    await looking
  }

  return {
    /** Milliseconds until it makes sense to ask again; 0 when it does now. */
    restLeftMs(): number {
      return Math.max(0, openUntil - now())
    },
    succeeded(): void {
      recent = []
      openUntil = 0
    },
    /**
     * Notes a failure; after too many it finds out whether the service is down.
     *
     * @param isUp asks the service something that is known to be good
     */
    async failed(isUp: () => Promise<boolean>): Promise<void> {
      note(1)
      tell('failed')
      await lookIfNeeded(isUp)
    },
    /**
     * Hears what another program tells.
     *
     * @param isUp as of `failed`; absent while it is not known what to ask, and then the next failure asks
     */
    async hear(word: BreakerWord, isUp: (() => Promise<boolean>) | undefined): Promise<void> {
      note(word === 'down' ? failures : 1)
      if (word === 'down' && isUp) await lookIfNeeded(isUp)
    },
  }
}

export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>
