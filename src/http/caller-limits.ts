/** What one request to the tools counts as; a batch counts with all its messages. */
export interface ToolCalls {
  /** The number of messages that are answered for free. */
  readonly free: number
  /** The number of calls of paid tools without a payment; each response is a price. */
  readonly quotes: number
  /** The payments of calls of paid tools, not validated. */
  readonly payments: readonly unknown[]
}

/** The rate limits of one address that calls tools, counted by the program that listens. */
export interface CallerLimits {
  /**
   * Counts the whole request, or nothing of it when a part is over its limit. Call it before doing any work.
   *
   * @returns 0, or milliseconds to wait
   */
  readonly take: (calls: ToolCalls) => Promise<number>
  /** Called for every payment that bought nothing. */
  readonly chargeFailure: () => void
  /** The address of the caller; undefined where nothing is counted. */
  readonly caller?: string
}

/** For programs that do not limit the rate of calls. */
export const unlimited: CallerLimits = { take: async () => 0, chargeFailure: () => {} }
