/**
 * After how many failures within `windowMs` a service is probed, and for how long (`restMs`) it is not used if down.
 */
export interface BreakerLimits {
  failures: number
  windowMs: number
  restMs: number
}

/** What programs that use the same service tell each other: a request failed, or a probe found it down. */
export type BreakerWord = 'failed' | 'down'

/**
 * Remembers recent failures of a service, so that no work is started in vain while it is down. Failures alone do not
 * open the breaker, because a hostile payment can make a service fail each time it is sent. After too many, the service
 * is probed with a request that is known to be good; only if that fails too is the service left alone for a while, for
 * all buyers.
 *
 * Failures that other programs report count as well. When they find the service down, it is probed from here too,
 * because only their connection to it may be broken.
 *
 * @param tell notifies the other programs, where there are any
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
    /** Milliseconds until the service may be used again; 0 when it may be now. */
    restLeftMs(): number {
      return Math.max(0, openUntil - now())
    },
    /** Forgets all failures and closes the breaker. */
    succeeded(): void {
      recent = []
      openUntil = 0
    },
    /**
     * Notes a failure; after too many, probes whether the service is down and waits for the result.
     *
     * @param isUp probes the service with a request that is known to be good
     */
    async failed(isUp: () => Promise<boolean>): Promise<void> {
      note(1)
      tell('failed')
      await lookIfNeeded(isUp)
    },
    /**
     * Notes what another program reports.
     *
     * @param isUp as for `failed`; undefined while there is no request to probe with, and then the next failure probes
     */
    async hear(word: BreakerWord, isUp: (() => Promise<boolean>) | undefined): Promise<void> {
      note(word === 'down' ? failures : 1)
      if (word === 'down' && isUp) await lookIfNeeded(isUp)
    },
  }
}

export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>
