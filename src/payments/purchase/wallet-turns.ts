import type { Signed } from '../chain/wallet-check.ts'
import type { makePurchaseTurns } from './purchase-turns.ts'

interface Options {
  readonly turns: ReturnType<typeof makePurchaseTurns>
  /** Whether other programs, whose purchases are not seen here, take turns as well. */
  readonly isShared: boolean
}

/** One who came when nobody else of the name was there. */
interface Alone {
  readonly isSigned: () => Promise<Signed>
  /** Resolves when its work is over, however it ended. */
  readonly over: Promise<void>
}

/**
 * Lets purchases that name one wallet run one after the other, as far as that wallet signed them: whoever only says to
 * be the wallet must not keep it waiting, and runs at once. To find that out costs more than all else that is computed
 * for a sale, so it is asked only when two meet. Who is there alone waits for nobody, and whoever comes meanwhile
 * asks about both, and waits only where the wallet signed both.
 */
export function makeWalletTurns({ turns, isShared }: Options) {
  const alone = new Map<string, Alone>()
  /** How many have a turn or wait for one, by name. */
  const inLine = new Map<string, number>()

  const runAlone = async <Result>(name: string, isSigned: Alone['isSigned'], work: () => Promise<Result>) => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let asked: Promise<Signed> | undefined
    // What cannot even be read was signed by nobody, and is for its own sender to hear of.
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
    /** @param isSigned whether the wallet signed this purchase */
    async take<Result>(name: string, isSigned: () => Promise<Signed>, work: () => Promise<Result>): Promise<Result> {
      const isFirst = !isShared && !alone.has(name) && !inLine.has(name)
      if (isFirst) return runAlone(name, isSigned, work)
      return (await isSigned()) === 'yes' ? runInLine(name, work) : work()
    },
  }
}
