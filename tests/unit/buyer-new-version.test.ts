import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openBoughtRecords } from '../../src/buyer/bought-records.ts'
import { payFor } from '../../src/buyer/pay-for.ts'
import { openPendingPurchases } from '../../src/buyer/pending-purchases.ts'
import { toLines } from '../../src/buyer/report.ts'
import { makeSigner } from '../../src/buyer/sign-payment.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { usd } from '../../src/core/money.ts'
import { textProduct } from '../../src/offers/product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { baseUrl, booklet, openTestShop } from '../support/test-shop.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A shop and a buyer with stored purchases. `isVersioned`: whether the shop states the version that it sells. */
async function openShop({ isVersioned }: { isVersioned: boolean }) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const written = { text: 'the first version', version: '1.0.0' }
  const db = await openTestLedger()
  const shop = await openTestShop({ chain, clock, db, make: async () => textProduct(written.text) })
  const folder = mkdtempSync(join(tmpdir(), 'farthing-buyer-'))
  const got: string[] = []
  const order = { method: 'GET', url: new URL(baseUrl + booklet.path), body: undefined } as const
  const buy = (wanted?: string) =>
    payFor(
      order,
      { maxPrice: usd('1'), asset: usdcAddress, sha256: wanted, timeoutSeconds: 300 },
      {
        fetch(url, init) {
          // Every request takes 10 ms.
          clock.ms += 10
          return shop.gateOf(isVersioned ? { ...booklet, version: written.version } : booklet)(new Request(url, init))
        },
        now: () => clock.ms,
        sleep: async () => {},
        say() {},
        purchases: openPendingPurchases(join(folder, 'purchases')),
        bought: openBoughtRecords(join(folder, 'bought')),
        findSigner: async () => makeSigner(sandboxAccounts.buyer.privateKey),
        async deliver({ bytes }) {
          got.push(Buffer.from(bytes).toString())
          return { is: 'output' }
        },
      },
    )
  return { order, buy, written, got, chain, close: () => db.destroy() }
}

it('buys the version named by its checksum, though the same command bought an earlier one', async () => {
  const { buy, written, got, chain, close } = await openShop({ isVersioned: true })
  expect(await buy(sha256(written.text))).toMatchObject({ is: 'bought', isOwned: false })
  expect(await buy(sha256(written.text))).toMatchObject({ is: 'again' })
  Object.assign(written, { text: 'the second version', version: '2.0.0' })
  expect(await buy(sha256(written.text))).toMatchObject({
    is: 'payment-refused',
    reason: expect.stringMatching(/newer_version/),
  })
  expect(await buy(sha256(written.text))).toMatchObject({ is: 'bought', isOwned: false })
  expect([got, chain.calls.transfers]).toEqual([['the first version', 'the first version', 'the second version'], 2])
  await close()
})

it('fetches the edition that was bought, and says how to ask for the current one', async () => {
  const { order, buy, written, got, chain, close } = await openShop({ isVersioned: false })
  await buy()
  Object.assign(written, { text: 'the edition of today' })
  const again = await buy()
  if (again.is !== 'again') throw new Error(`it was ${again.is}`)
  expect(toLines(again, order).join('\n')).toContain(`noted in    ${again.record}; delete that file`)
  rmSync(again.record)
  expect(await buy()).toMatchObject({ is: 'bought', isOwned: false })
  rmSync(again.record)
  expect(await buy()).toMatchObject({ is: 'bought', isOwned: true })
  const editions = ['the first version', 'the edition of today']
  expect([got, chain.calls.transfers]).toEqual([[...editions.slice(0, 1), ...editions, ...editions.slice(1)], 2])
  await close()
})

it('names the receipt of the purchase when it fetches a product again', async () => {
  const { order, buy, close } = await openShop({ isVersioned: false })
  const first = await buy()
  const again = await buy()
  if (first.is !== 'bought' || again.is !== 'again') throw new Error(`it was ${first.is}, then ${again.is}`)
  expect(first.receiptUrl).toMatch(/\/receipts\/r_[\w-]+$/)
  expect(again.receiptUrl).toBe(first.receiptUrl)
  expect(toLines(again, order).join('\n')).toContain(`receipt     ${first.receiptUrl}`)
  await close()
})

it('keeps the signature for later downloads private from other users of the machine', async () => {
  const { buy, close } = await openShop({ isVersioned: false })
  await buy()
  const again = await buy()
  if (again.is !== 'again') throw new Error(`it was ${again.is}`)
  expect(statSync(again.record).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(again.record)).mode & 0o777).toBe(0o700)
  await close()
})
