import { describe, expect, it } from 'vitest'
import { type Lease, LeaseLost, leaseMs } from '../../src/payments/ledger/lease.ts'
import { type Ledger, makeLedger } from '../../src/payments/ledger/ledger.ts'
import type { PaymentRow } from '../../src/payments/ledger/payment-row.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { numberedSale } from '../support/numbered-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

const { claim, product, transaction } = numberedSale(0)

const open = async () => {
  const clock = { ms: 1_000_000 }
  const db = await openTestLedger()
  const products = makeProductStore('/nonexistent')
  const ledgerOf = (owner: string) => makeLedger({ db, products, owner, now: () => clock.ms, newReceiptId })
  return { clock, slow: ledgerOf('here/1'), quick: ledgerOf('there/2') }
}

const getRow = async (ledger: Ledger): Promise<PaymentRow> => {
  const row = await ledger.find(claim.key)
  if (!row) throw new Error('the row is gone')
  return row
}
const held = (lease: Lease | undefined): Lease => {
  if (!lease) throw new Error('the row is held')
  return lease
}

/** Ways to lose a row whose lease has expired. Each returns the ledger and the lease of the new holder. */
const losses = {
  'to another process': async ({ quick }: { slow: Ledger; quick: Ledger }) => ({
    ledger: quick,
    lease: held(await quick.take(await getRow(quick))),
  }),
  'to the same process, which took it again': async ({ slow }: { slow: Ledger; quick: Ledger }) => ({
    ledger: slow,
    lease: held(await slow.take(await getRow(slow))),
  }),
  'to another process, which cleared it away and began anew': async ({ quick }: { slow: Ledger; quick: Ledger }) => {
    await quick.release(held(await quick.take(await getRow(quick))))
    return { ledger: quick, lease: held(await quick.claim(claim)) }
  },
}

/** Every write that needs a lease, with the state of the row in which it is allowed. */
const writes: readonly (readonly [name: keyof Ledger, state: 'working' | 'ready' | 'settling', Write])[] = [
  ['renew', 'working', (ledger, lease) => ledger.renew(lease)],
  ['release', 'working', (ledger, lease) => ledger.release(lease)],
  ['keepForSettlement', 'working', (ledger, lease) => ledger.keepForSettlement(lease, product, 1)],
  ['keepReady', 'working', (ledger, lease) => ledger.keepReady(lease, product, 1)],
  ['beginSettling', 'ready', (ledger, lease) => ledger.beginSettling(lease)],
  ['recordSale', 'settling', (ledger, lease) => ledger.recordSale(lease, { transaction: transaction })],
  ['recordRefusal', 'settling', (ledger, lease) => ledger.recordRefusal(lease, 'refused')],
  ['recordFailure', 'settling', (ledger, lease) => ledger.recordFailure(lease, 'failed')],
  ['letGo', 'settling', (ledger, lease) => ledger.letGo(lease)],
]
type Write = (ledger: Ledger, lease: Lease) => Promise<unknown>

describe.each(Object.entries(losses))('the old lease on a row that was lost %s', (_, lose) => {
  it.each(writes)('changes nothing with %s', async (name, state, write) => {
    const { clock, slow, quick } = await open()
    const old = held(await slow.claim(claim))
    clock.ms += leaseMs
    const holder = await lose({ slow, quick })
    if (state === 'ready') await holder.ledger.keepReady(holder.lease, product, 1)
    if (state === 'settling') await holder.ledger.keepForSettlement(holder.lease, product, 1)
    const before = await getRow(quick)
    clock.ms += 1
    if (name === 'letGo') await write(slow, old)
    else await expect(write(slow, old)).rejects.toBeInstanceOf(LeaseLost)
    expect(await getRow(quick)).toEqual(before)
    // The holder of the lease can do the same write.
    await write(holder.ledger, holder.lease)
    expect(await quick.find(claim.key)).not.toEqual(before)
  })
})
