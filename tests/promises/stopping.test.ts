import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Product, textProduct } from '../../src/offers/product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { booklet, openTestShop } from '../support/test-shop.ts'

it.each(['http', 'mcp'] as const)(
  'charges nothing after its time to stop, keeps the finished product, and sells it after the restart (%s)',
  async (via) => {
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const db = await openTestLedger()
    const productFolder = mkdtempSync(join(tmpdir(), 'farthing-stopping-'))
    const finish: (() => void)[] = []
    const about = { chain, clock, db, productFolder, via }
    const ending = await openTestShop({
      ...about,
      make: () => new Promise((resolve) => finish.push(() => resolve(textProduct('made in time')))),
    })
    const { header } = await signPayment({ amount: 100_000n, token: 'a-token-of-our-402' })
    const sending = ending.buyLeaflet(header)
    await expect.poll(() => finish.length).toBe(1)
    ending.payments.settleNoMore()
    finish[0]?.()
    const answer = await sending
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ charged: false, retryable: true })
    expect((await ending.buyLeaflet(header)).status).toBe(503)
    expect([chain.calls.settle, (await ending.sales()).count]).toEqual([0, 0])

    const next = await openTestShop({ ...about, make: () => Promise.reject(new Error('made twice')) })
    const delivered = await next.buyLeaflet(header)
    expect([delivered.status, await delivered.text()]).toEqual([200, 'made in time'])
    expect([chain.calls.settle, (await next.sales()).count]).toEqual([1, 1])
    await db.destroy()
    rmSync(productFolder, { recursive: true })
  },
)

it.each(['http', 'mcp'] as const)(
  'responds to a buyer whose work does not end before the program does (%s)',
  async (via) => {
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const db = await openTestLedger()
    const productFolder = mkdtempSync(join(tmpdir(), 'farthing-stopping-'))
    const about = { chain, clock, db, productFolder, via }
    let begun = 0
    const ending = await openTestShop({
      ...about,
      make: () => {
        begun += 1
        return new Promise(() => undefined)
      },
    })
    const { header } = await signPayment({ amount: 100_000n, token: 'a-token-of-our-402' })
    const sending = ending.buyLeaflet(header)
    await expect.poll(() => begun).toBe(1)
    ending.payments.settleNoMore(20)
    // Long before the deadline of the work.
    const answer = await Promise.race([sending, delay(10_000)])
    expect(answer?.status).toBe(503)
    expect(await answer?.json()).toMatchObject({ charged: false, retryable: true })

    const next = await openTestShop({ ...about, make: async () => textProduct('made after all') })
    const delivered = await next.buyLeaflet(header)
    expect([delivered.status, await delivered.text()]).toEqual([200, 'made after all'])
    expect([chain.calls.settle, (await next.sales()).count]).toEqual([1, 1])
    await db.destroy()
    rmSync(productFolder, { recursive: true })
  },
)

it('responds to an owner whose copy is not finished before the program ends', async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const db = await openTestLedger()
  const works: (() => Promise<Product>)[] = [async () => textProduct('owned'), () => new Promise(() => undefined)]
  let begun = 0
  const { buyerOf, payments } = await openTestShop({
    ...{ chain, clock, db },
    make: () => works[begun++]?.() ?? Promise.reject(new Error('made too often')),
  })
  const buy = buyerOf(booklet)
  const sign = async (token: string) => (await signPayment({ amount: 100_000n, token })).header
  expect((await buy(await sign('one'))).status).toBe(200)
  const asking = buy(await sign('two'))
  await expect.poll(() => begun).toBe(2)
  payments.settleNoMore(20)
  const answer = await Promise.race([asking, delay(10_000)])
  expect([answer?.status, await answer?.json()]).toMatchObject([503, { charged: false, retryable: true }])
  expect(chain.calls.settle).toBe(1)
  await db.destroy()
})
