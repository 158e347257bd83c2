/** Hang-ups that a wallet is forgiven in an hour. */
const perHour = 3
const hourMs = 60 * 60 * 1000
/** Beyond this many, the wallet that hung up longest ago is forgotten. */
const maxWallets = 10_000

/**
 * Counts buyers who leave while their product is made. A few times in an hour the work is stopped and nothing is
 * charged; after that it is finished and settled all the same, so that work cannot be had for nothing by hanging up.
 */
export function makeForgiveness(now: () => number) {
  /** When each wallet hung up, in the order of the last times. */
  const hungUp = new Map<string, number[]>()
  return {
    /** Whether the wallet is forgiven once more. */
    forgives(payer: string): boolean {
      const since = now() - hourMs
      const times = (hungUp.get(payer) ?? []).filter((at) => at > since)
      hungUp.delete(payer)
      const isForgiven = times.length < perHour
      hungUp.set(payer, isForgiven ? [...times, now()] : times)
      for (const [wallet] of hungUp) {
        if (hungUp.size <= maxWallets) break
        hungUp.delete(wallet)
      }
      return isForgiven
    },
  }
}

export type Forgiveness = ReturnType<typeof makeForgiveness>
