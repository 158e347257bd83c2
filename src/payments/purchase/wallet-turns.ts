import type { Signed } from '../chain/wallet-check.ts'
import type { makePurchaseTurns } from './purchase-turns.ts'

interface Options {
  readonly turns: ReturnType<typeof makePurchaseTurns>
  /** Whether other programs take turns as well: their purchases cannot be seen here, so every purchase is checked. */
  readonly isShared: boolean
}

/** A purchase that began while there was no other of the same name. */
interface Alone {
  readonly isSigned: () => Promise<Signed>
  /** Resolves when its work has ended, also with an error. */
  readonly over: Promise<void>
}

/**
 * Runs purchases of one wallet under the same name one after the other. Only purchases that the wallet signed take
 * part: a request that merely names the wallet must not keep it waiting, and runs at once. Checking the signature is
 * the most expensive computation of a sale, so it is done only when two purchases meet: the first runs without a check;
 * the one that arrives meanwhile checks both, and waits only if the wallet signed both.
 */
export function makeWalletTurns({ turns, isShared }: Options) {
  const alone = new Map<string, Alone>()
  /** How many purchases have a turn or wait for one, by name. */
  const inLine = new Map<string, number>()

  const runAlone = async <Result>(name: string, isSigned: Alone['isSigned'], work: () => Promise<Result>) => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let asked: Promise<Signed> | undefined
    // An error of the check counts as not signed; the purchase itself reports it to its buyer.
    alone.set(name, { isSigned: () => (asked ??= isSigned().catch(() => 'no')), over })
    try {
      return await work()
    } finally {
      alone.delete(name)
      resolve()
    }
  }

  const runInLine = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    inLine.set(name, (inLine.get(name) ?? 0) + 1)
    try {
      return await turns.take(name, async () => {
        const other = alone.get(name)
        if (other && (await other.isSigned()) === 'yes') await other.over
        return await work()
      })
    } finally {
      const left = (inLine.get(name) ?? 1) - 1
      if (left > 0) inLine.set(name, left)
      else inLine.delete(name)
    }
  }

  return {
    /**
     * Runs `work` in its turn.
     *
     * @param isSigned whether the wallet signed this purchase
     */
    async take<Result>(name: string, isSigned: () => Promise<Signed>, work: () => Promise<Result>): Promise<Result> {
      const isFirst = !isShared && !alone.has(name) && !inLine.has(name)
      if (isFirst) return runAlone(name, isSigned, work)
      return (await isSigned()) === 'yes' ? runInLine(name, work) : work()
    },
  }
}
