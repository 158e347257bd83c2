/** The newest block of a chain, as far as it is known. */
export interface Head {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
}

/** Remembers the newest block that was read. `now`: a monotonic clock in milliseconds. */
export function makeKnownHead(now: () => number = () => performance.now()) {
  let known: { readonly head: Head; readonly at: number } | undefined
  return {
    note(head: Head): void {
      known = { head, at: now() }
    },
    /**
     * The block that was read last, unless that is longer ago; `timestamp` is what a block would have now, as far as
     * time has passed since.
     */
    find(maxAgeMs: number): Head | undefined {
      const ageMs = known ? now() - known.at : Number.POSITIVE_INFINITY
      if (!known || ageMs > maxAgeMs) return undefined
      return { number: known.head.number, timestamp: known.head.timestamp + Math.floor(ageMs / 1000) }
    },
  }
}
