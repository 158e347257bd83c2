import { expect, it } from 'vitest'
import { textProduct } from '../../src/offers/product.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import type { Claim } from '../../src/payments/ledger/payment-row.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { openTestLedger } from '../support/test-databases.ts'

const wallet = { network: 'eip155:8453', asset: '0xc', payer: '0xa' }

async function open() {
  const clock = { ms: 1_800_000_000_000 }
  const db = await openTestLedger()
  const products = makeProductStore('/nonexistent')
  const ledger = makeLedger({ db, products, owner: 'a test', now: () => clock.ms, newReceiptId })
  /** Stores a product that waits unpaid. */
  const wait = async (key: string, wish: Partial<Claim> = {}) => {
    const lease = await ledger.claim({
      key,
      offer_id: 'leaflet',
      product: 'A leaflet',
      path: '/leaflet',
      fingerprint: 'f',
      sent: null,
      authorization: '{}',
      pay_to: '0xb',
      nonce: key,
      amount: '100000',
      version: null,
      valid_before: clock.ms / 1000 + 300,
      token_hash: null,
      identifier_hash: null,
      payload: null,
      caller: null,
      ...wallet,
      ...wish,
    })
    if (!lease) throw new Error('the payment was not claimed')
    await ledger.keepReady(lease, textProduct('bytes'), 1)
  }
  const waiting = async () =>
    (await db.selectFrom('payment').select('key').orderBy('key').execute()).map(({ key }) => key)
  return { clock, ledger, wait, waiting }
}

it('replaces the product that waits for a wallet by its newer one', async () => {
  const { wait, waiting } = await open()
  await wait('first')
  await wait('other', { payer: '0xe' })
  await wait('second')
  expect(await waiting()).toEqual(['other', 'second'])
})

it('keeps the product that waits for a wallet when there is no room for its newer one', async () => {
  const { wait, waiting } = await open()
  await wait('first', { caller: 'home' })
  for (const key of ['a', 'b', 'c', 'd']) await wait(key, { payer: key, caller: 'café' })
  await wait('second', { caller: 'café' })
  expect(await waiting()).toEqual(['a', 'b', 'c', 'd', 'first'])
})

it('makes room by deleting products whose authorization has expired', async () => {
  const { clock, wait, waiting } = await open()
  for (const key of ['a', 'b', 'c', 'd']) await wait(key, { payer: key, caller: 'café' })
  clock.ms += 301_000
  await wait('e', { payer: 'e', caller: 'café' })
  expect(await waiting()).toEqual(['e'])
})

it('counts no expired authorization among what a wallet may still have to pay', async () => {
  const { clock, ledger, wait } = await open()
  await wait('first')
  const amountLater = async () => ledger.openAmount({ ...wallet, key: 'later' })
  clock.ms += 299_999
  expect(await amountLater()).toBe(100_000n)
  clock.ms += 1
  expect(await amountLater()).toBe(0n)
})
