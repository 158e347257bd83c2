import { expect, it } from 'vitest'
import { pretendChain } from '../support/pretend-chain.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'

it('never says that nothing was charged when a payment that the ledger lost cannot be written back', async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const { header } = await signPayment({ amount: 100_000n, token: 'a-token-of-our-402' })
  const lost = await openTestLedger()
  expect((await (await openTestShop({ chain, clock, db: lost })).buyLeaflet(header)).status).toBe(200)
  const db = await openTestLedger()
  const shop = await openTestShop({ chain, clock, db })
  const allow = await refuseWrites(db, 'insert', 'sale', 'database or disk is full')
  const answer = await shop.buyLeaflet(header)
  expect([answer.status, (await answer.json()).charged]).toEqual([503, 'unknown'])
  await allow()
  const later = await shop.buyLeaflet(header)
  expect([later.status, (await later.json()).charged]).toEqual([403, true])
  expect(chain.calls.transfers).toBe(1)
  await lost.destroy()
  await db.destroy()
})
