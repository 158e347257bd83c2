/** How many failures in which time make us look whether a service is down, and for how long it is then left alone. */
export interface BreakerLimits {
  failures: number
  windowMs: number
  restMs: number
}

/**
 * Remembers recent failures of a service so that no work is started that it would waste. Failures alone prove nothing:
 * one hostile payment can make a service fail on that payment, as often as it is sent. Only when something that is
 * known to be good fails as well is the service left alone, for everybody and for a while.
 */
export function makeCircuitBreaker({ failures, windowMs, restMs }: BreakerLimits, now: () => number) {
  let recent: number[] = []
  let openUntil = 0
  let looking: Promise<void> | undefined

  const look = async (isUp: () => Promise<boolean>): Promise<void> => {
    const up = await isUp()
    recent = []
    if (!up) openUntil = now() + restMs
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
      const at = now()
      recent = [...recent.filter((time) => time > at - windowMs), at]
      if (recent.length < failures || openUntil > at) return
      looking ??= look(isUp).finally(() => {
        looking = undefined
      })
      await looking
    },
  }
}

export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>
