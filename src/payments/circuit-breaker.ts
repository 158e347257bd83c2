/** How many failures in which time stop us from asking, and for how long. */
export interface BreakerLimits {
  failures: number
  windowMs: number
  restMs: number
}

/**
 * Remembers recent failures of a service so that no work is started that it would waste. After a rest one caller may
 * try; its success closes the breaker again.
 */
export function makeCircuitBreaker({ failures, windowMs, restMs }: BreakerLimits, now: () => number) {
  let recent: number[] = []
  let openUntil = 0
  return {
    /** Milliseconds until it makes sense to ask again; 0 when it does now. */
    restLeftMs(): number {
      return Math.max(0, openUntil - now())
    },
    succeeded(): void {
      recent = []
      openUntil = 0
    },
    failed(): void {
      const at = now()
      recent = [...recent.filter((time) => time > at - windowMs), at]
      if (recent.length >= failures) openUntil = at + restMs
    },
  }
}

export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>
