/** Allows `burst` at once and `perSecond` in the long run. */
export interface BucketLimits {
  readonly perSecond: number
  readonly burst: number
}

/**
 * A bucket that starts full; the clock is the caller's, in milliseconds.
 *
 * @example makeTokenBucket({ perSecond: 20, burst: 200 }, () => performance.now()).take() // 0
 */
export function makeTokenBucket({ perSecond, burst }: BucketLimits, now: () => number) {
  let tokens = burst
  let at = now()

  function refill(): void {
    const time = now()
    // A clock that is set back takes nothing away.
    tokens = Math.min(burst, tokens + (Math.max(0, time - at) * perSecond) / 1000)
    at = time
  }

  return {
    /** Takes what something costs; answers 0, or how many milliseconds to wait before it is affordable. */
    take(cost = 1): number {
      refill()
      if (tokens < 1) return Math.ceil(((1 - tokens) * 1000) / perSecond)
      // What costs more than is left is paid off later: it could not be known before it was done.
      tokens -= cost
      return 0
    },
    /**
     * How many milliseconds to wait before all of a cost can be paid at once; 0 for now, and where there is no cost,
     * whatever is owed. Takes nothing.
     */
    wait(cost = 1): number {
      if (cost === 0) return 0
      refill()
      // No wait would fill a bucket beyond its brim.
      const missing = Math.min(cost, burst) - tokens
      return missing <= 0 ? 0 : Math.ceil((missing * 1000) / perSecond)
    },
    /** Takes a cost that was found out afterwards, on credit where need be: as much as the bucket holds at most. */
    charge(cost: number): void {
      refill()
      tokens = Math.max(-burst, tokens - cost)
    },
    /** Learns that so much of it is taken, wherever that was: what was taken here and is no part of it stays taken. */
    owe(taken: number): void {
      refill()
      tokens = Math.min(tokens, burst - taken)
    },
    /** What can be taken now, at least 0. */
    left(): number {
      refill()
      return Math.max(0, tokens)
    },
  }
}

export type TokenBucket = ReturnType<typeof makeTokenBucket>
