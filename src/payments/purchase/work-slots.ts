import { base } from '../../core/networks.ts'

/**
 * Counts work in progress per product; more than the limit is refused at once rather than queued behind a wallet. What is
 * to be paid on another network has places of its own: one whose chain hangs keeps nobody from buying on Base.
 */
export function makeWorkSlots() {
  /** By product, then by network. */
  const busy = new Map<string, Map<string, number>>()
  return {
    /** @returns a function that gives the slot back, or undefined when all are taken */
    enter(offerId: string, limit: number, network: string = base.id): (() => void) | undefined {
      const taken = busy.get(offerId) ?? new Map<string, number>()
      if ((taken.get(network) ?? 0) >= limit) return undefined
      const add = (more: number) => taken.set(network, (taken.get(network) ?? 0) + more)
      busy.set(offerId, taken)
      add(1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        add(-1)
      }
    },
    /** How many are taken, by product. */
    inUse: (): ReadonlyMap<string, number> =>
      new Map([...busy].map(([offerId, taken]) => [offerId, [...taken.values()].reduce((sum, one) => sum + one, 0)])),
  }
}

export type WorkSlots = ReturnType<typeof makeWorkSlots>
