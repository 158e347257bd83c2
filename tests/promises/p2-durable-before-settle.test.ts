import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textProduct } from '../../src/offers/product.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'

describe('before any money moves', () => {
  it.each([
    ['in the row', 'a small product'],
    ['in a file of its own', 'a large product '.repeat(100_000)],
  ])('the whole product is stored %s, readable by another connection, in state settling', async (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'farthing-p2-'))
    const db = await openTestLedger(folder)
    const other = await openTestLedger(folder)
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const productFolder = join(folder, 'products')
    const shop = await openTestShop({ chain, clock, db, productFolder, make: async () => textProduct(text) })
    const seen: unknown[] = []
    chain.watchSettle(async ({ key }) => {
      const kept = other.selectFrom('payment').select(['state', 'body', 'body_file']).where('key', '=', key)
      const { state, body, body_file: file } = await kept.executeTakeFirstOrThrow()
      const stored = await makeProductStore(productFolder).read({ body, file })
      seen.push([state, new TextDecoder().decode(stored) === text])
    })
    const bought = await shop.buyLeaflet((await signPayment({ amount: 100_000n })).header)
    expect([bought.status, await bought.text()]).toEqual([200, text])
    expect(seen).toEqual([['settling', true]])
    for (const each of [db, other]) await each.destroy()
  })
})
