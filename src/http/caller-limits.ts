/** What one request asks of the tools: a batch asks for all that is in it. */
export interface ToolCalls {
  /** Messages that cost nothing to answer. */
  readonly free: number
  /** Calls of tools that sell, without a payment: each is told a price. */
  readonly quotes: number
  /** What came as payment with calls of tools that sell, unread. */
  readonly payments: readonly unknown[]
}

/** The limits of one address that calls tools, counted by the program that listens. */
export interface CallerLimits {
  /**
   * Counts all that is asked, or nothing of it when a part is beyond its limit; before anything is done for it.
   *
   * @returns 0, or milliseconds to wait
   */
  readonly take: (calls: ToolCalls) => Promise<number>
  /** Told of every payment that bought nothing. */
  readonly chargeFailure: () => void
  /** The address that asks; undefined where nobody counts. */
  readonly caller?: string
}

/** Where nobody counts. */
export const unlimited: CallerLimits = { take: async () => 0, chargeFailure: () => {} }
