import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { storeProducts } from '../../game-server/store/products.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { neededBytes } from '../../src/core/small-memory.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { canReadOnly } from '../support/production-files.ts'
import { type ProductionPrograms, startProduction } from '../support/production-programs.ts'
import { residentMb, treeMb } from '../support/resident-mb.ts'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'
import { isPost, testedOffers } from '../support/tested-offers.ts'

/** Everything that one machine sells: all products of the build and of the store, each ordered with its example. */
const offers: readonly Offer[] = [...testedOffers(), ...storeProducts.map(({ offer }) => offer)]
/** A page of usual length, at the addresses that the examples name. */
const page = `<!doctype html><title>A page</title><main>${'<p>Words that are read.</p>'.repeat(4000)}</main>`
const hosts = ['example.com', 'example.org']
const wholeMb = neededBytes.programs / 1024 ** 2
/** The most resident memory in MB of each program when it is idle after all those sales. */
const idleMb = { site: 130, game: 100 }

const isPossible = canReadOnly()
let web: PretendWeb
let shop: ProductionPrograms

beforeAll(async () => {
  if (!isPossible) return
  web = await openPretendWeb(Object.fromEntries(hosts.map((host) => [host, { '*': page }])))
  shop = await startProduction({
    ...{ mode: 'sandbox', payTo: sandboxPayTo, baseUrl: testBaseUrl, gameUrl: testGameUrl },
    env: { EGRESS_TEST_HOSTS: web.egress(...hosts), EGRESS_TEST_CA: web.caFile },
  })
})
beforeEach(({ skip }) => skip(!isPossible, 'this machine does not let its users make folders read-only for a command'))
afterAll(async () => {
  await shop?.stop()
  await web?.close()
})

/** The most memory in MB that both programs and their child processes used together during some work. */
async function peakMbOf(work: () => Promise<unknown>): Promise<number> {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, treeMb([shop.site.child.pid, shop.game.child.pid]))
  }
  const timer = setInterval(look, 50)
  await work().finally(() => clearInterval(timer))
  look()
  return peak
}

it.each(offers.map((offer) => [offer.id, offer] as const))('sells %s on a machine of 512 MB', async (_, offer) => {
  const { fetch } = offer.lane === 'storeItem' ? shop.game : shop.site
  const pay = payingFetch(sandboxAccounts.buyer.privateKey, fetch, { maxAmountPerPayment: '$25' })
  const order = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(offer.example) }
  const peak = await peakMbOf(async () => {
    const buy = () => pay(testBaseUrl + offer.path, isPost(offer) ? order : {})
    let answer = await buy()
    // A busy machine refuses new work uncharged, and says when to ask again.
    for (let again = 0; answer.status === 503 && again < 10; again++) {
      await delay(1000 * Number(answer.headers.get('retry-after')))
      answer = await buy()
    }
    expect([answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  })
  expect(peak).toBeLessThan(wholeMb)
})

it('keeps little memory when it is idle after that', async () => {
  const timeout = 120_000
  await expect.poll(() => residentMb(shop.site.child.pid), { timeout }).toBeLessThan(idleMb.site)
  await expect.poll(() => residentMb(shop.game.child.pid), { timeout }).toBeLessThan(idleMb.game)
})
