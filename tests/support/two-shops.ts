import { openSiblings } from '../../src/storage/postgres/open-siblings.ts'
import { startPostgresProxy } from './postgres-proxy.ts'
import { pretendChain } from './pretend-chain.ts'
import { makeDatabase, openTestLedger } from './test-databases.ts'
import { openTestShop, type TestShopOptions } from './test-shop.ts'

/** Two shops on one database, as two site programs open them; the database session of the second one can be cut. */
export async function openTwoShops(options: Partial<TestShopOptions> = {}) {
  const place = crypto.randomUUID()
  const url = await makeDatabase(place)
  const way = await startPostgresProxy(url)
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const breaks: unknown[] = []
  const errors: unknown[] = []
  const open = async (by: string) => {
    const siblings = await openSiblings(by, {
      onBroken: (error) => breaks.push(error),
      report: (error) => errors.push(error),
    })
    const db = await openTestLedger(place)
    // It waits for other shops as long as a real shop does.
    const shop = await openTestShop({ chain, clock, db, takePlace: siblings.takePlace, settleWaitMs: 1, ...options })
    return { ...shop, siblings }
  }
  const shops = [await open(url), await open(way.url)] as const
  return {
    url,
    way,
    clock,
    chain,
    shops,
    /** The errors of lost sessions; `errors` has all others. */
    breaks,
    errors,
    async close(): Promise<void> {
      for (const { siblings, db } of shops) {
        await siblings.close()
        await db.destroy()
      }
      await way.close()
    },
  }
}
