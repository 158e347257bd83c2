import { makeTurns } from '../../core/make-turns.ts'
import { leaseMs } from '../ledger/lease.ts'
import type { TakePlace } from './take-place.ts'

/** Pause between two attempts to get a turn that another program has. */
const pauseMs = 100

interface Options {
  /** Places shared with the other programs that sell from this ledger; undefined where there are none. */
  readonly takePlace: TakePlace | undefined
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Runs purchases under the same name one after the other: in order of arrival within this process, in any order across
 * programs. A purchase waits for another program no longer than a lease lasts, and not at all while the database does
 * not answer. That is safe, because the ledger decides in any case right before money moves.
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
      // The database does not answer; the ledger is in it and will report that.
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
