import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textProduct } from '../../src/offers/product.ts'
import { block } from '../../src/operator/blocks.ts'
import { openBlockList } from '../../src/payments/block-list.ts'
import { shareBlocks, shareSales } from '../../src/site/share-changes.ts'
import { makeSalesStatistics } from '../../src/stats/sales-statistics.ts'
import { keepSession } from '../../src/storage/postgres/keep-session.ts'
import { figure } from '../support/figures.ts'
import { signPayment } from '../support/signed-payments.ts'
import { booklet, leaflet } from '../support/test-shop.ts'
import { openTwoShops } from '../support/two-shops.ts'

let both: Awaited<ReturnType<typeof openTwoShops>>
let made = 0
/** What the work on a product waits for. */
let until: Promise<void> = Promise.resolve()
beforeAll(async () => {
  both = await openTwoShops({
    make: async (input) => {
      made++
      await until
      return textProduct(`made of ${JSON.stringify(input)}`)
    },
  })
})
afterAll(() => both?.close())

let signed = 0
const sign = () => {
  const validBefore = Math.floor(both.clock.ms / 1000) + 300
  return signPayment({ amount: 100_000n, validBefore, token: `token ${++signed}` })
}
const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status)

describe('two signatures of one wallet for a lasting product, at two shops at the same time', () => {
  it('both get the product, and one of them is charged', async () => {
    const rounds = figure(15, 200)
    for (let round = 0; round < rounds; round++) {
      const offer = { ...booklet, id: `booklet ${round}` }
      const [one, other] = [await sign(), await sign()]
      const before = both.chain.calls.transfers
      const answers = await Promise.all([
        both.shops[0].buyerOf(offer)(one.header),
        both.shops[1].buyerOf(offer)(other.header),
      ])
      expect(statuses(answers)).toEqual([200, 200])
      expect(both.chain.calls.transfers - before).toBe(1)
    }
  })
})

describe('copies of one request at two shops at once', () => {
  it.each([booklet, leaflet])('are made, charged and sold once ($slug)', async (product) => {
    const rounds = figure(15, 200)
    for (let round = 0; round < rounds; round++) {
      const offer = { ...product, id: `copied ${product.id} ${round}` }
      const { header } = await sign()
      const before = { transfers: both.chain.calls.transfers, made }
      const ask = (at: 0 | 1) => both.shops[at].buyerOf(offer)(header)
      const answers = await Promise.all([ask(0), ask(1), ask(1), ask(0)])
      // If the product does not last, a copy at the other shop is told to come again.
      for (const status of statuses(answers)) expect([200, 409]).toContain(status)
      expect(statuses([await ask(0), await ask(1)])).toEqual([200, 200])
      expect([both.chain.calls.transfers - before.transfers, made - before.made]).toEqual([1, 1])
    }
  })
})

describe('work on one product at two shops', () => {
  /** Begins work at a shop, which goes on until the test releases it. */
  const begin = async (offer: typeof leaflet, at: 0 | 1) => {
    const { header } = await sign()
    const before = made
    const answer = both.shops[at].buyerOf(offer)(header)
    await expect.poll(() => made).toBe(before + 1)
    return answer
  }
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    until = promise
    return resolve
  }
  const busy = async (offer: typeof leaflet, at: 0 | 1) => {
    const answer = await both.shops[at].buyerOf(offer)((await sign()).header)
    return [answer.status, JSON.parse(await answer.text()).charged]
  }

  it('has one limit for both together, and goes on when a place is free', async () => {
    const offer = { ...leaflet, id: 'bounded', concurrency: 2 }
    const letGo = hold()
    const working = [begin(offer, 0)]
    await expect.poll(() => both.shops[0].payments.slotsInUse().get(offer.id)).toBe(1)
    working.push(begin(offer, 1))
    await expect.poll(() => both.shops[1].payments.slotsInUse().get(offer.id)).toBe(1)
    expect([await busy(offer, 0), await busy(offer, 1)]).toEqual([
      [503, false],
      [503, false],
    ])
    letGo()
    expect(statuses(await Promise.all(working))).toEqual([200, 200])
    const answers = [await both.shops[0].buyerOf(offer)((await sign()).header)]
    expect(statuses(answers)).toEqual([200])
  })

  it('keeps its places when a shop connects to the database anew', async () => {
    const offer = { ...leaflet, id: 'kept', concurrency: 1 }
    const letGo = hold()
    const working = begin(offer, 1)
    await expect.poll(() => both.shops[1].payments.slotsInUse().get(offer.id)).toBe(1)
    const { length } = both.breaks
    const carried = both.way.carried()
    both.way.cut()
    await expect.poll(() => both.way.carried()).toBeGreaterThan(carried)
    expect(both.breaks.length).toBe(length + 1)
    await expect.poll(() => busy(offer, 0)).toEqual([503, false])
    letGo()
    expect((await working).status).toBe(200)
    const after = await both.shops[0].buyerOf(offer)((await sign()).header)
    expect(after.status).toBe(200)
  })

  it('frees the places of a shop that is gone, after no more than ten seconds of silence', async () => {
    const gone = await openTwoShops()
    const held = await gone.shops[1].siblings.takePlace('of one who dies', 1)
    expect(held).toBeDefined()
    expect(await gone.shops[0].siblings.takePlace('of one who dies', 1)).toBeUndefined()
    gone.way.refuse(true)
    gone.way.cut()
    await expect.poll(() => gone.shops[0].siblings.takePlace('of one who dies', 1)).toBeDefined()
    await gone.close()
    const options = { channel: 'test', onMessage: () => {}, onRenewed: async () => {}, onBroken: () => {} }
    const session = await keepSession(both.url, options)
    expect(await session.ask('show idle_session_timeout')).toEqual([{ idle_session_timeout: '10s' }])
    await session.close()
  })

  it('is limited by each shop alone when the others cannot be asked', async () => {
    const held = Promise.withResolvers<void>()
    const alone = await openTwoShops({
      takePlace: () => Promise.reject(new Error('nobody can say')),
      make: async () => {
        await held.promise
        return textProduct('made')
      },
    })
    const [{ buyerOf, payments }] = alone.shops
    const offer = { ...leaflet, id: 'alone', concurrency: 1 }
    const working = buyerOf(offer)((await sign()).header)
    await expect.poll(() => payments.slotsInUse().get(offer.id)).toBe(1)
    expect((await buyerOf(offer)((await sign()).header)).status).toBe(503)
    held.resolve()
    expect((await working).status).toBe(200)
    expect((await alone.shops[1].buyerOf(booklet)((await sign()).header)).status).toBe(200)
    await alone.close()
  })
})

describe('what a program keeps in memory', () => {
  it('is dropped when another program changes it, and when changes may have been missed', async () => {
    const two = await openTwoShops()
    const [near, far] = two.shops
    const lists = await Promise.all(
      two.shops.map(({ db, siblings }) => openBlockList({ db, report: () => {}, others: shareBlocks(siblings) })),
    )
    const [here, there] = lists
    const isBlocked = (caller: string) => there?.isBlocked({ caller })
    await block(near.db, '203.0.113.7', '', 1)
    await here?.changed()
    await expect.poll(() => isBlocked('203.0.113.7')).toBe(true)
    two.way.refuse(true)
    two.way.cut()
    await expect.poll(() => two.breaks).toHaveLength(1)
    await block(near.db, '203.0.113.8', '', 1)
    await here?.changed()
    two.way.refuse(false)
    await expect.poll(() => isBlocked('203.0.113.8')).toBe(true)
    // As a command does, which notifies nobody.
    await block(near.db, '203.0.113.9', '', 1)
    await expect.poll(() => isBlocked('203.0.113.9')).toBe(true)
    await Promise.all(lists.map((list) => list.close()))
    expect(two.errors).toEqual([])

    const kept = makeSalesStatistics({ db: far.db, ownWallets: [], now: () => two.clock.ms })
    shareSales(far.siblings, kept)
    const sold = shareSales(near.siblings, { renew() {} })
    const before = await kept.read()
    sold()
    await expect.poll(async () => (await kept.read()) === before).toBe(false)
    await two.close()
  })
})
