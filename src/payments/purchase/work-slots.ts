import { base } from '../../core/networks.ts'
import type { TakePlace } from './take-place.ts'

type Leave = () => void

/**
 * Counts work in progress per product; more than the limit is refused at once rather than queued behind a wallet. What is
 * to be paid on another network has places of its own: one whose chain hangs keeps nobody from buying on Base.
 *
 * @param takePlace where several programs sell: then the limit holds over all of them
 */
export function makeWorkSlots(takePlace?: TakePlace) {
  /** By product, then by network. */
  const busy = new Map<string, Map<string, number>>()

  const enterHere = (offerId: string, limit: number, network: string): Leave | undefined => {
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
  }

  const enterOverAll = async (take: TakePlace, name: string, limit: number, leave: Leave) => {
    try {
      const giveBack = await take(name, limit)
      if (giveBack)
        return () => {
          leave()
          giveBack()
        }
      leave()
      return undefined
    } catch {
      // Whoever cannot ask the others keeps to the limit alone.
      return leave
    }
  }

  return {
    /** @returns a function that gives the slot back, or undefined when all are taken; a promise where others are asked */
    enter(offerId: string, limit: number, network: string = base.id): Leave | undefined | Promise<Leave | undefined> {
      const leave = enterHere(offerId, limit, network)
      return leave && takePlace ? enterOverAll(takePlace, `work ${offerId} ${network}`, limit, leave) : leave
    },
    /** How many are taken here, by product. */
    inUse: (): ReadonlyMap<string, number> =>
      new Map([...busy].map(([offerId, taken]) => [offerId, [...taken.values()].reduce((sum, one) => sum + one, 0)])),
  }
}

export type WorkSlots = ReturnType<typeof makeWorkSlots>
