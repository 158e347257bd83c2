/** How many times in an hour a wallet may disconnect without being charged. */
const perHour = 3
const hourMs = 60 * 60 * 1000
/** How many wallets are remembered; beyond this, the one that disconnected longest ago is dropped. */
const maxWallets = 10_000

/**
 * Counts how often a wallet disconnects while its product is made. A few times in an hour the work is stopped and
 * nothing is charged; after that the product is finished and settled all the same, so that nobody can cause work for
 * free by disconnecting.
 */
export function makeForgiveness(now: () => number) {
  /** The times at which each wallet disconnected, ordered by the last call for it. */
  const hungUp = new Map<string, number[]>()
  return {
    /**
     * Notes that a wallet disconnected.
     *
     * @returns whether its work is to be stopped without a charge
     */
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
