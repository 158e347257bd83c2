/** What one request asks of the tools: a batch asks for all that is in it. */
export interface Asked {
  /** Messages that cost nothing to answer. */
  readonly free: number
  /** Calls of tools that sell, without a payment: each is told a price. */
  readonly quotes: number
  /** What came as payment with calls of tools that sell, unread. */
  readonly payments: readonly unknown[]
}

/** What an address may ask of the tools, as the program that listens counts it. */
export interface Admission {
  /**
   * Counts all that is asked, or nothing of it when a part is beyond its limit; before anything is done for it.
   *
   * @returns 0, or milliseconds to wait
   */
  readonly wait: (asked: Asked) => Promise<number>
  /** Told of every payment that bought nothing. */
  readonly failed: () => void
  /** The address that asks; undefined where nobody counts. */
  readonly caller?: string
}

/** Where nobody counts. */
export const admitAll: Admission = { wait: async () => 0, failed: () => {} }
