/** What an address may ask of the tools, as the program that listens counts it. */
export interface Admission {
  /**
   * Counts what is asked, before anything is done for it.
   *
   * @param payments that came with calls of tools that sell, unread; none when all is free
   * @returns 0, or milliseconds to wait
   */
  readonly wait: (payments: readonly unknown[]) => Promise<number>
  /** Told of every payment that bought nothing. */
  readonly failed: () => void
}

/** Where nobody counts. */
export const admitAll: Admission = { wait: async () => 0, failed: () => {} }
