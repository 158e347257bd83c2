/** Counts work in progress per product; more than the limit is refused at once rather than queued behind a wallet. */
export function makeWorkSlots() {
  const busy = new Map<string, number>()
  return {
    /** @returns a function that gives the slot back, or undefined when all are taken */
    enter(offerId: string, limit: number): (() => void) | undefined {
      const taken = busy.get(offerId) ?? 0
      if (taken >= limit) return undefined
      busy.set(offerId, taken + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        busy.set(offerId, (busy.get(offerId) ?? 1) - 1)
      }
    },
    /** How many are taken, by product. */
    inUse: (): ReadonlyMap<string, number> => busy,
  }
}

export type WorkSlots = ReturnType<typeof makeWorkSlots>
