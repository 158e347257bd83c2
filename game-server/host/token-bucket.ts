/** Allows `burst` at once and `perSecond` in the long run. */
export interface TokenBucket {
  /** Takes what something costs; answers 0, or how many milliseconds to wait before it is affordable. */
  take(cost?: number): number
}

/** A bucket that starts full; the clock is the caller's, in milliseconds. */
export function makeTokenBucket(limits: { perSecond: number; burst: number }, now: () => number): TokenBucket {
  const { perSecond, burst } = limits
  let tokens = burst
  let at = now()
  return {
    take(cost = 1) {
      const time = now()
      tokens = Math.min(burst, tokens + ((time - at) * perSecond) / 1000)
      at = time
      if (tokens < 1) return Math.ceil(((1 - tokens) * 1000) / perSecond)
      // What costs more than is left is paid off later: it could not be known before it was done.
      tokens -= cost
      return 0
    },
  }
}
