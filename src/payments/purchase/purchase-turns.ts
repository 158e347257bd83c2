import { makeTurns } from '../../core/make-turns.ts'
import { leaseMs } from '../ledger/lease.ts'
import type { TakePlace } from './take-place.ts'

const pauseMs = 100

interface Options {
  /** Where several programs sell from one ledger. */
  readonly takePlace: TakePlace | undefined
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Lets purchases that must not run side by side run one after the other: in the order in which they came within this
 * process, and in any order where other programs sell as well. Nobody waits for another program longer than for a lease,
 * nor while it cannot be told who has the turn: right before money moves, the ledger decides in any case.
 */
export function makePurchaseTurns({ takePlace, sleep }: Options) {
  const turns = makeTurns()
  if (!takePlace) return turns

  const takeOverAll = async (name: string): Promise<(() => void) | undefined> => {
    try {
      for (let waitedMs = 0; waitedMs < leaseMs; waitedMs += pauseMs) {
        const leave = await takePlace(`turn ${name}`, 1)
        if (leave) return leave
        await sleep(pauseMs)
      }
    } catch {
      // The database cannot be asked; then neither can the ledger, which says so.
    }
    return undefined
  }

  return {
    take: <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
      turns.take(name, async () => {
        const leave = await takeOverAll(name)
        try {
          return await work()
        } finally {
          leave?.()
        }
      }),
  }
}
