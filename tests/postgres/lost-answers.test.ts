import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaseMs } from '../../src/payments/ledger/lease.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { type Loss, startPostgresProxy } from '../support/postgres-proxy.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { makeDatabase } from '../support/test-databases.ts'
import { booklet, leaflet, openTestShop } from '../support/test-shop.ts'

let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
let db: LedgerDatabase
beforeAll(async () => {
  proxy = await startPostgresProxy(await makeDatabase())
  db = await openLedgerDatabase('', proxy.url)
})
afterAll(async () => {
  await db.destroy()
  await proxy.close()
})

const mostExchanges = 60
const mostAsks = 8

describe.each(['answer', 'question'] as const)(
  'the connection to the database is cut, and with it an %s',
  (loss: Loss) => {
    it.each([
      ['a product that is made anew', leaflet],
      ['a lasting product', booklet],
    ])(
      'at any point of a purchase of %s: it is paid once and delivered, and no response says otherwise',
      async (_, offer) => {
        const clock = { ms: Date.now() }
        const chain = pretendChain(clock)
        const shop = await openTestShop({ chain, clock, db })
        const buy = shop.buyerOf(offer)
        let after = 0
        for (; after < mostExchanges; after++) {
          const before = chain.calls.transfers
          const told: string[] = []
          const { header, nonce, payer } = await signPayment({
            amount: 100_000n,
            token: `token ${after} of ${loss} ${offer.id}`,
            validBefore: Math.floor(clock.ms / 1000) + 3000,
            privateKey: generatePrivateKey(),
          })
          proxy.lose(loss, after)
          let answer = await buy(header)
          const hasLost = proxy.stop()
          for (let asks = 1; answer.status !== 200 && asks < mostAsks; asks++) {
            const { charged } = (await answer.json()) as { charged?: boolean | string }
            told.push(`${answer.status} ${charged}`)
            const hasMoved = chain.hasMoved(payer, nonce)
            if (charged === false || answer.status === 402)
              expect([after, told, hasMoved]).toEqual([after, told, false])
            // The sale is recorded again at once, so that its buyer is told that it was charged.
            if (hasMoved) expect([after, told, charged]).toEqual([after, told, true])
            // The lease of the purchase whose connection was cut has to expire.
            clock.ms += leaseMs + 1
            answer = await buy(header)
          }
          expect([after, told, answer.status]).toEqual([after, told, 200])
          expect(await answer.text()).toContain('made')
          expect(chain.calls.transfers - before).toBe(1)
          const sales = await db.selectFrom('sale').select('id').where('payment_key', 'like', `%${nonce}`).execute()
          expect([after, sales.length]).toEqual([after, 1])
          if (!hasLost) break
        }
        // Every exchange of a purchase was cut once, until a purchase went through without a cut.
        expect(after).toBeGreaterThan(5)
        expect(after).toBeLessThan(mostExchanges)
      },
    )
  },
)
