// Writes as the site or as the game host does, until it is killed: `node tests/backups/shop-writer.ts <data folder>
// site|game`. Prints `begun` once it has begun.
import { setTimeout as delay } from 'node:timers/promises'
import { makeCredits } from '../../game-server/store/credits.ts'
import { sell } from '../support/backed-up-shop.ts'
import { openTestGame, openTestLedger } from '../support/test-databases.ts'

const [dataDir = '', as] = process.argv.slice(2)

/** Opens and stores one world after the other, pays what it earned, and then records that it is paid. */
async function playOn(): Promise<void> {
  const ledger = await openTestLedger(dataDir)
  const game = await openTestGame(dataDir)
  let now = Date.now()
  // Every payment is on a day of its own, because the credits of a day are capped.
  const credits = makeCredits({ db: ledger, now: () => (now += 86_400_000) })
  for (let world = 1; ; world++) {
    const realm = `world-${world}`
    const rest = { mode: 'open' as const, event: null, seed: 's', rules: 1, closed_at: null, frozen_at: null, fence: 0 }
    await game
      .insertInto('realm')
      .values({ ...rest, id: realm, opened_at: world })
      .execute()
    const session = {
      realm,
      player: 1,
      account: 'ada',
      name: 'Ada',
      kind: 'agent' as const,
      joined_at: world,
      is_over: 0,
    }
    await game
      .insertInto('seat')
      .values({ ...session, paid_depth: 1, credits: 0 })
      .execute()
    await credits.earn({ key: 'ada', credits: 2, reason: 'depth', ref: `${realm}/1/2` })
    await game.updateTable('seat').set({ paid_depth: 2, credits: 2 }).where('realm', '=', realm).execute()
    if (world === 1) console.log('begun')
    await delay(1)
  }
}

async function sellOn(): Promise<void> {
  for (let number = 100; ; number++) {
    await sell(dataDir, [number])
    if (number === 100) console.log('begun')
    await delay(20)
  }
}

await (as === 'game' ? playOn() : sellOn())
