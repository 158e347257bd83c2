import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Problem } from '../../src/core/problem.ts'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import { fetchBought } from '../../src/owners/fetch-bought.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { booklet, openTestShop } from '../support/test-shop.ts'

const eightDaysMs = 8 * 24 * 60 * 60 * 1000
const text = 'the first edition'

/** A shop that sold a booklet, which its library fetches again. */
async function openShop({ bytes = text, concurrency = 2 } = {}) {
  const clock = { ms: Date.now() }
  const offer = { ...booklet, concurrency }
  const folder = mkdtempSync(join(tmpdir(), 'farthing-bought-'))
  const shop = await openTestShop({
    chain: pretendChain(clock),
    clock,
    productFolder: folder,
    make: async () => textProduct(bytes),
  })
  const payment = await signPayment({ amount: 100_000n })
  const receiptId = (await shop.buyerOf(offer)(payment.header)).headers.get('x-receipt-id') ?? ''
  const { payer } = await shop.db.selectFrom('payment').select('payer').executeTakeFirstOrThrow()
  const fetchAgain = async (make: Make, signal = new AbortController().signal) => {
    const { forLibrary } = shop.payments
    const options = { ...forLibrary, db: shop.db, products: makeProductStore(folder), offers: [offer] }
    try {
      const answer = await fetchBought(
        { ...options, findMake: () => make },
        { wallet: payer, receiptId, signal, noneMatch: null },
      )
      return await answer.text()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return [error.kind, error.options.charged]
    }
  }
  return {
    ...shop,
    fetchAgain,
    /** Drops the stored bytes, whose time is over. */
    async drop() {
      clock.ms += eightDaysMs
      await shop.payments.forget()
    },
    /** Loses what is stored in files. */
    lose: () => rmSync(folder, { recursive: true }),
  }
}

it('makes a product again for its owner no more often at once than it may be made for buyers', async () => {
  const { fetchAgain, drop } = await openShop()
  await drop()
  const ends: (() => void)[] = []
  const make: Make = async () => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return textProduct(text)
  }
  const first = [fetchAgain(make), fetchAgain(make)]
  await expect.poll(() => ends.length).toBe(2)
  expect(await fetchAgain(make)).toEqual(['busy', true])
  for (const end of ends) end()
  expect(await Promise.all(first)).toEqual([text, text])
  expect(await fetchAgain(async () => textProduct(text))).toBe(text)
})

it('tells the owner to come back and says that the product is paid for when it cannot be made again', async () => {
  const { fetchAgain, drop, errors } = await openShop()
  await drop()
  const refused = new Problem('work-failed', { charged: false })
  for (const error of [new Error('the disk is gone'), refused])
    expect(await fetchAgain(() => Promise.reject(error))).toEqual(['busy', true])
  expect(errors).toEqual([expect.stringContaining('the disk is gone')])
})

it('reports no error when the owner leaves while the product is made again', async () => {
  const { fetchAgain, drop, errors } = await openShop()
  await drop()
  const owner = new AbortController()
  const answer = fetchAgain(() => new Promise(() => owner.abort()), owner.signal)
  expect([await answer, errors]).toEqual([['busy', true], []])
})

it('tells the owner to come back and says that the product is paid for when its stored bytes cannot be read', async () => {
  const { fetchAgain, lose, errors } = await openShop({ bytes: 'x'.repeat(1024 * 1024 + 1) })
  lose()
  expect(await fetchAgain(async () => textProduct('another'))).toEqual(['busy', true])
  expect(errors).toHaveLength(1)
})
