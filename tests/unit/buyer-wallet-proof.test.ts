import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBoughtRecords } from '../../src/buyer/bought-records.ts'
import { payFor } from '../../src/buyer/pay-for.ts'
import { openPendingPurchases } from '../../src/buyer/pending-purchases.ts'
import { makeSigner } from '../../src/buyer/sign-payment.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { usd } from '../../src/core/money.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { baseUrl, leaflet, openTestShop } from '../support/test-shop.ts'

/** A buyer who paid and got no response, from a shop that has since lost its ledger. */
async function openForgotten() {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const before = await openTestShop({ chain, clock, db: await openTestLedger() })
  const after = await openTestShop({ chain, clock, db: await openTestLedger() })
  const folder = mkdtempSync(join(tmpdir(), 'farthing-buyer-'))
  let shop = before
  const run = (maxPrice = usd('1')) =>
    payFor(
      { method: 'GET', url: new URL(baseUrl + leaflet.path), body: undefined },
      { maxPrice, asset: usdcAddress, sha256: undefined, timeoutSeconds: 1 },
      {
        async fetch(url, init) {
          const request = new Request(url, init)
          const answer = await shop.gateOf(leaflet)(request)
          if (shop === before && request.headers.has('payment-signature')) throw new TypeError('fetch failed')
          return answer
        },
        now: () => clock.ms,
        sleep: async (ms) => {
          clock.ms += ms
        },
        say() {},
        purchases: openPendingPurchases(join(folder, 'purchases')),
        bought: openBoughtRecords(join(folder, 'bought')),
        findSigner: async () => makeSigner(sandboxAccounts.buyer.privateKey),
        deliver: async () => ({ is: 'output' }),
      },
    )
  expect(await run()).toMatchObject({ is: 'unresolved' })
  shop = after
  const close = () => Promise.all([before.db.destroy(), after.db.destroy()])
  return { clock, chain, run, pending: () => readdirSync(join(folder, 'purchases')), close }
}

it('proves its wallet with a second signature when the first has expired, and pays once', async () => {
  const { clock, chain, run, pending, close } = await openForgotten()
  expect(await run()).toMatchObject({ is: 'payment-refused', reason: expect.stringContaining('fresh signature') })
  clock.ms += 300_000
  expect(await run()).toMatchObject({ is: 'bought', isOwned: true })
  expect([chain.calls.transfers, pending()]).toEqual([1, []])
  await close()
})

it('makes no second signature when the limit does not cover both', async () => {
  const { clock, chain, run, pending, close } = await openForgotten()
  clock.ms += 300_000
  expect(await run(usd('0.15'))).toMatchObject({ is: 'payment-refused', reason: expect.stringContaining('limit') })
  expect([chain.calls.transfers, pending().length]).toEqual([1, 1])
  await close()
})
