import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

it('never says that nothing was charged when a payment that the ledger lost cannot be written back', async () => {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const { header } = await signPayment({ amount: 100_000n, token: 'a-token-of-our-402' })
  const lost = await openLedgerDatabase(':memory:')
  expect((await (await openTestShop({ chain, clock, db: lost })).buyLeaflet(header)).status).toBe(200)
  const db = await openLedgerDatabase(':memory:')
  const shop = await openTestShop({ chain, clock, db })
  await sql`create trigger no_room before insert on sale begin select raise(abort, 'database or disk is full'); end`.execute(
    db,
  )
  const answer = await shop.buyLeaflet(header)
  expect([answer.status, (await answer.json()).charged]).toEqual([503, 'unknown'])
  await sql`drop trigger no_room`.execute(db)
  const later = await shop.buyLeaflet(header)
  expect([later.status, (await later.json()).charged]).toEqual([403, true])
  expect(chain.calls.transfers).toBe(1)
  await lost.destroy()
  await db.destroy()
})
