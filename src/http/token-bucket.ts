/** Allows `burst` at once and `perSecond` in the long run. */
export interface BucketLimits {
  readonly perSecond: number
  readonly burst: number
}

/**
 * A token bucket that starts full. The caller provides the clock, in milliseconds. It is a class because hosts have four
 * for each player: closures would take a kilobyte and a half more.
 *
 * @example new TokenBucket({ perSecond: 20, burst: 200 }, () => performance.now()).take() // 0
 */
export class TokenBucket {
  readonly #limits: BucketLimits
  readonly #now: () => number
  #tokens: number
  #at: number

  constructor(limits: BucketLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
    this.#tokens = limits.burst
    this.#at = now()
  }

  #refill(): void {
    const { perSecond, burst } = this.#limits
    const time = this.#now()
    // If the clock is set back, no tokens are lost.
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, time - this.#at) * perSecond) / 1000)
    this.#at = time
  }

  /** Takes `cost` tokens if at least one is there; returns 0, or the milliseconds until one is. */
  take(cost = 1): number {
    this.#refill()
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) * 1000) / this.#limits.perSecond)
    // A cost above the balance leaves a debt: it may be known only after the work is done.
    this.#tokens -= cost
    return 0
  }

  /**
   * The milliseconds until all of `cost` is available at once; 0 if it is available now. A cost of 0 is always
   * available, even in debt. Takes nothing.
   */
  wait(cost = 1): number {
    if (cost === 0) return 0
    this.#refill()
    const { perSecond, burst } = this.#limits
    // A bucket never holds more than `burst`, so a larger cost waits for a full bucket.
    const missing = Math.min(cost, burst) - this.#tokens
    return missing <= 0 ? 0 : Math.ceil((missing * 1000) / perSecond)
  }

  /** Takes a cost that became known afterwards, if need be on credit, up to a debt of `burst`. */
  charge(cost: number): void {
    this.#refill()
    this.#tokens = Math.max(-this.#limits.burst, this.#tokens - cost)
  }

  /** Sets how much is taken in total, wherever that was. What was taken here in addition stays taken. */
  owe(taken: number): void {
    this.#refill()
    this.#tokens = Math.min(this.#tokens, this.#limits.burst - taken)
  }

  /** The tokens that can be taken now, at least 0. */
  left(): number {
    this.#refill()
    return Math.max(0, this.#tokens)
  }
}
