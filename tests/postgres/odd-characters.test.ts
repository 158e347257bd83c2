import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { openLibrary } from '../../src/owners/open-library.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { encodeHeader, signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { baseUrl, openTestShop, readTerms } from '../support/test-shop.ts'

/** A character that PostgreSQL can neither store in a text nor search for. */
const nul = '\0'

async function open() {
  const clock = { ms: Date.now() }
  const db = await openTestLedger()
  return { db, clock, shop: await openTestShop({ chain: pretendChain(clock), clock, db }) }
}

it('a payment on a network whose name the database cannot store gets the terms, like one on any other network', async () => {
  const { db, shop } = await open()
  for (const network of [`eip155:8453${nul}`, 'eip155:\ud800', 'eip155:1']) {
    const { payload } = await signPayment({ amount: 100_000n })
    const header = encodeHeader({ ...payload, accepted: { ...payload.accepted, network } })
    const answer = await shop.buyLeaflet(header)
    expect([network, answer.status]).toEqual([network, 402])
    expect(['invalid_network', 'invalid_payload']).toContain(readTerms(answer).error)
    expect(await shop.payments.isKnown(header)).toBe(false)
  }
  expect(shop.errors).toEqual([])
  await db.destroy()
})

it('a library that is asked for purchases before an unknown receipt says so', async () => {
  const { db, clock, shop } = await open()
  const account = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
  const library = openLibrary({
    ...shop.payments.forLibrary,
    ...{ db, baseUrl, offers: [], findMake: () => undefined, products: makeProductStore('/nonexistent') },
    now: () => clock.ms,
  })
  const message = library.toMessage(account.address)
  const body = JSON.stringify({ message, signature: await account.signMessage({ message }) })
  const headers = { 'content-type': 'application/json' }
  const signedIn = await library.signIn(new Request(baseUrl, { method: 'POST', body, headers }))
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  for (const before of ['%00', 'r_%00', 'r_nobody', '']) {
    const answer = await library.json(
      new Request(`${baseUrl}/api/library.json?before=${before}`, { headers: { cookie } }),
    )
    expect([before, answer.status, await answer.json()]).toMatchObject([
      before,
      400,
      { errors: [{ parameter: 'before' }] },
    ])
  }
  await db.destroy()
})
