/** Allows `burst` at once and `perSecond` in the long run. */
export interface BucketLimits {
  readonly perSecond: number
  readonly burst: number
}

/**
 * A token bucket that starts full. The caller provides the clock, in milliseconds.
 *
 * @example makeTokenBucket({ perSecond: 20, burst: 200 }, () => performance.now()).take() // 0
 */
export function makeTokenBucket({ perSecond, burst }: BucketLimits, now: () => number) {
  let tokens = burst
  let at = now()

  function refill(): void {
    const time = now()
    // If the clock is set back, no tokens are lost.
    tokens = Math.min(burst, tokens + (Math.max(0, time - at) * perSecond) / 1000)
    at = time
  }

  return {
    /** Takes `cost` tokens if at least one is there; returns 0, or the milliseconds until one is. */
    take(cost = 1): number {
      refill()
      if (tokens < 1) return Math.ceil(((1 - tokens) * 1000) / perSecond)
      // A cost above the balance leaves a debt: it may be known only after the work is done.
      tokens -= cost
      return 0
    },
    /**
     * The milliseconds until all of `cost` is available at once; 0 if it is available now. A cost of 0 is always
     * available, even in debt. Takes nothing.
     */
    wait(cost = 1): number {
      if (cost === 0) return 0
      refill()
      // A bucket never holds more than `burst`, so a larger cost waits for a full bucket.
      const missing = Math.min(cost, burst) - tokens
      return missing <= 0 ? 0 : Math.ceil((missing * 1000) / perSecond)
    },
    /** Takes a cost that became known afterwards, if need be on credit, up to a debt of `burst`. */
    charge(cost: number): void {
      refill()
      tokens = Math.max(-burst, tokens - cost)
    },
    /** Sets how much is taken in total, wherever that was. What was taken here in addition stays taken. */
    owe(taken: number): void {
      refill()
      tokens = Math.min(tokens, burst - taken)
    },
    /** The tokens that can be taken now, at least 0. */
    left(): number {
      refill()
      return Math.max(0, tokens)
    },
  }
}

export type TokenBucket = ReturnType<typeof makeTokenBucket>
