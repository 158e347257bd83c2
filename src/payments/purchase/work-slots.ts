import { base } from '../../core/networks.ts'
import type { TakePlace } from './take-place.ts'

type Leave = () => void

/**
 * Counts work in progress by product; work beyond the limit is refused at once and not queued. Each network has its own
 * slots, so that a network whose chain hangs does not block purchases on Base.
 *
 * @param takePlace given where several programs sell from one ledger: then the limit holds over all of them
 */
export function makeWorkSlots(takePlace?: TakePlace) {
  /** The number of slots taken in this process, by product, then by network. */
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
      // If the database cannot be asked, the limit holds for this process alone.
      return leave
    }
  }

  return {
    /**
     * Takes a slot.
     *
     * @returns a function that gives it back, or undefined when all are taken; a promise of that with `takePlace`
     */
    enter(offerId: string, limit: number, network: string = base.id): Leave | undefined | Promise<Leave | undefined> {
      const leave = enterHere(offerId, limit, network)
      return leave && takePlace ? enterOverAll(takePlace, `work ${offerId} ${network}`, limit, leave) : leave
    },
    /** How many slots are taken in this process, by product. */
    inUse: (): ReadonlyMap<string, number> =>
      new Map([...busy].map(([offerId, taken]) => [offerId, [...taken.values()].reduce((sum, one) => sum + one, 0)])),
  }
}

export type WorkSlots = ReturnType<typeof makeWorkSlots>
