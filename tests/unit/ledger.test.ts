import { describe, expect, it } from 'vitest'
import { network } from '../../src/core/chain-constants.ts'
import { textProduct } from '../../src/offers/product.ts'
import { LeaseLost, leaseMs, Outrun } from '../../src/payments/ledger/lease.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import type { Claim } from '../../src/payments/ledger/payment-row.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { hasLeft, isGone, makeOwner } from '../../src/storage/lease-owner.ts'
import { makeDeadOwner } from '../support/dead-owner.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openTestLedger } from '../support/test-databases.ts'

const claim = (key: string): Claim => ({
  key,
  offer_id: 'leaflet',
  product: 'A leaflet',
  path: '/leaflet',
  fingerprint: 'f',
  sent: null,
  authorization: '{}',
  payer: '0xa',
  pay_to: '0xb',
  asset: '0xc',
  network: 'eip155:8453',
  nonce: '0xd',
  amount: '100000',
  version: null,
  valid_before: 2_000_000_000,
  token_hash: null,
  identifier_hash: null,
  payload: null,
  caller: null,
})

const open = async () => {
  const clock = { ms: 1_000_000 }
  const db = await openTestLedger()
  const products = makeProductStore('/nonexistent')
  const ledgerOf = (owner: string) => makeLedger({ db, products, owner, now: () => clock.ms, newReceiptId })
  const row = async (key: string) => {
    const found = await ledgerOf('x').find(key)
    if (!found) throw new Error('no such row')
    return found
  }
  return { clock, db, ledgerOf, row }
}
const product = textProduct('bytes')

describe('a lease', () => {
  it('is held by one owner until it expires', async () => {
    const { clock, ledgerOf, row } = await open()
    const [mine, other] = [ledgerOf('here/1'), ledgerOf('there/2')]
    expect(await mine.claim(claim('k'))).toEqual({ key: 'k', fence: 1 })
    expect(await other.claim(claim('k'))).toBeUndefined()
    clock.ms += leaseMs - 1
    expect(await other.take(await row('k'))).toBeUndefined()
    clock.ms += 1
    expect(await other.take(await row('k'))).toEqual({ key: 'k', fence: 2 })
  })

  it('that expired goes to exactly one of those who claim it', async () => {
    const { clock, ledgerOf, row } = await open()
    await ledgerOf('here/1').claim(claim('k'))
    clock.ms += leaseMs
    const seen = await row('k')
    const taken = [await ledgerOf('there/2').take(seen), await ledgerOf('there/3').take(seen)]
    expect(taken).toEqual([{ key: 'k', fence: 2 }, undefined])
  })

  it('is kept by renewing it', async () => {
    const { clock, ledgerOf, row } = await open()
    const mine = ledgerOf('here/1')
    const lease = await mine.claim(claim('k'))
    if (!lease) throw new Error('not claimed')
    clock.ms += leaseMs - 1
    await mine.renew(lease)
    clock.ms += leaseMs - 1
    expect(await ledgerOf('there/2').take(await row('k'))).toBeUndefined()
  })

  it.each([
    ['another process', 'there/2'],
    ['another request to the same process', 'here/1'],
  ])('that was lost to %s writes nothing any more', async (_, next) => {
    const { clock, ledgerOf, row } = await open()
    const [slow, quick] = [ledgerOf('here/1'), ledgerOf(next)]
    const old = await slow.claim(claim('k'))
    if (!old) throw new Error('not claimed')
    clock.ms += leaseMs
    const fresh = await quick.take(await row('k'))
    if (!fresh) throw new Error('not taken')
    for (const write of [
      () => slow.keepForSettlement(old, product, 1),
      () => slow.keepReady(old, product, 1),
      () => slow.release(old),
      () => slow.renew(old),
    ])
      await expect(write()).rejects.toBeInstanceOf(LeaseLost)
    await quick.keepForSettlement(fresh, product, 1)
    await expect(slow.recordSale(old, { transaction: '0xtx' })).rejects.toBeInstanceOf(LeaseLost)
    await quick.recordSale(fresh, { transaction: '0xtx' })
    expect(await row('k')).toMatchObject({ state: 'settled', transaction_hash: '0xtx' })
  })

  it('of a dead process is taken at once', async () => {
    const { ledgerOf, row } = await open()
    const dead = makeDeadOwner()
    expect([isGone(dead), isGone(makeOwner()), isGone('elsewhere/4194303/1/abc')]).toEqual([true, false, false])
    await ledgerOf(dead).claim(claim('k'))
    expect(await ledgerOf('there/2').take(await row('k'))).toBeDefined()
  })

  it('of a pid that now belongs to a later process counts as dead', () => {
    const [host, pid, start, , place] = makeOwner().split('/')
    expect(isGone(`${host}/${pid}/${Number(start) - 1}/abc/${place}`)).toBe(true)
  })

  it('of another machine with the same name is never considered dead', async () => {
    const { clock, ledgerOf, row } = await open()
    const parts = makeDeadOwner().split('/')
    const namesake = [...parts.slice(0, 4), 'another-boot'].join('/')
    expect([isGone(namesake), isGone(parts.slice(0, 4).join('/'))]).toEqual([false, false])
    await ledgerOf(namesake).claim(claim('k'))
    expect(await ledgerOf('there/2').take(await row('k'))).toBeUndefined()
    clock.ms += leaseMs
    expect(await ledgerOf('there/2').take(await row('k'))).toBeDefined()
  })

  it('in a file does not block forever: an earlier boot of a host with our name has ended', () => {
    const parts = makeDeadOwner().split('/')
    expect([hasLeft([...parts.slice(0, 4), 'before-the-reboot'].join('/')), hasLeft('elsewhere/1/1/abc')]).toEqual([
      true,
      false,
    ])
    expect(hasLeft(makeOwner())).toBe(false)
  })
})

describe('the database itself', () => {
  it('refuses states that break an invariant', async () => {
    const { db, ledgerOf } = await open()
    await ledgerOf('here/1').claim(claim('k'))
    const set = (values: object) => db.updateTable('payment').set(values).where('key', '=', 'k').execute()
    await expect(set({ state: 'settling' })).rejects.toThrow(/product_is_stored/)
    await expect(set({ state: 'ready' })).rejects.toThrow(/product_is_stored/)
    await expect(set({ state: 'settled', transaction_hash: '0x', body_bytes: null })).rejects.toThrow(/sale_was_stored/)
    await expect(set({ transaction_hash: '0x' })).rejects.toThrow(/settled_has_transaction/)
    await expect(set({ state: 'paid' })).rejects.toThrow(/state_is_known/)
  })

  it('sells one payment once', async () => {
    const { db, ledgerOf } = await open()
    const ledger = ledgerOf('here/1')
    const lease = await ledger.claim(claim('k'))
    if (!lease) throw new Error('not claimed')
    await ledger.keepForSettlement(lease, product, 1)
    await ledger.recordSale(lease, { transaction: '0xtx' })
    const [sale] = await db.selectFrom('sale').selectAll().execute()
    if (!sale) throw new Error('no sale')
    await expect(
      db
        .insertInto('sale')
        .values({ ...sale, id: 'r_2' })
        .execute(),
    ).rejects.toThrow(/unique/i)
  })
})

it('restores the identifier of a waiting payment when it is settled, unless another payment has it by now', async () => {
  const { ledgerOf, row } = await open()
  const ledger = ledgerOf('here/1')
  const named = { payer: '0xe', identifier_hash: 'a name' }
  const waits = async (key: string) => {
    const lease = await ledger.claim({ ...claim(key), ...named })
    if (!lease) throw new Error('not claimed')
    await ledger.keepReady(lease, product, 1)
    const again = await ledger.take(await row(key))
    if (!again) throw new Error('not taken')
    return again
  }
  const [first, second] = [await waits('k'), await waits('l')]
  const begin = (lease: typeof first) => ledger.beginSettling(lease, { identifierHash: named.identifier_hash })
  await begin(first)
  await expect(begin(second)).rejects.toThrow(Outrun)
  expect((await ledger.findByIdentifier(named.identifier_hash))?.key).toBe('k')
})

it('drops the bytes of a product after its redelivery window, and keeps the row and the sale', async () => {
  const { clock, db, ledgerOf, row } = await open()
  const ledger = ledgerOf('here/1')
  const lease = await ledger.claim(claim('k'))
  if (!lease) throw new Error('not claimed')
  await ledger.keepForSettlement(lease, product, 1)
  await ledger.recordSale(lease, { transaction: '0xtx' })
  await ledger.purge(clock.ms)
  expect((await row('k')).body).not.toBeNull()
  await ledger.purge(clock.ms + 1)
  expect(await row('k')).toMatchObject({ state: 'settled', body: null, body_bytes: 5 })
  expect(await db.selectFrom('sale').selectAll().execute()).toHaveLength(1)
})

describe('statements that belong together are written together or not at all', () => {
  const paid = { transaction: '0xt', logIndex: 1, block: 5 }
  const sold = async () => {
    const opened = await open()
    const ledger = opened.ledgerOf('here/1')
    const settle = async (key: string) => {
      const lease = await ledger.claim(claim(key))
      if (!lease) throw new Error('somebody else has it')
      await ledger.keepForSettlement(lease, product, 1)
      return lease
    }
    return { ...opened, ledger, settle }
  }

  it.each([
    [
      'a sale',
      async ({ ledger, settle }: Awaited<ReturnType<typeof sold>>) => {
        const lease = await settle('k')
        return () => ledger.recordSale(lease, paid)
      },
    ],
    [
      'a sale that is taken back',
      async ({ ledger, settle }: Awaited<ReturnType<typeof sold>>) => {
        await ledger.recordSale(await settle('k'), paid)
        const [one] = await ledger.openSales(network, 1)
        if (!one) throw new Error('there is no sale')
        return () => ledger.reverseSale(one, 'settlement_reversed', true)
      },
    ],
    [
      'a sale that the ledger had lost',
      async ({ ledger }: Awaited<ReturnType<typeof sold>>) =>
        () =>
          ledger.recoverSale(claim('k'), paid),
    ],
    [
      'the product of a lost sale',
      async ({ ledger, row }: Awaited<ReturnType<typeof sold>>) => {
        await ledger.recoverSale(claim('k'), paid)
        const lease = await ledger.takeLost(await row('k'))
        if (!lease) throw new Error('somebody else has it')
        return () => ledger.fillLost(lease, { ...claim('k'), path: '/other' }, product)
      },
    ],
  ])('%s', async (_, prepare) => {
    const shop = await sold()
    const write = await prepare(shop)
    const look = async () => [
      await shop.db.selectFrom('payment').selectAll().execute(),
      await shop.db.selectFrom('sale').selectAll().execute(),
      await shop.db.selectFrom('sale_total').selectAll().execute(),
    ]
    const before = await look()
    const allow = await refuseWrites(shop.db, 'insert', 'sale_total')
    await expect(write()).rejects.toThrow('disk full')
    expect(await look()).toEqual(before)
    await allow()
    await write()
    expect(await look()).not.toEqual(before)
  })
})

it('reads no product waiting for its buyer when it looks for rows to maintain', async () => {
  const { clock, ledgerOf } = await open()
  const ledger = ledgerOf('here/1')
  const until = clock.ms / 1000 + 60
  const lease = await ledger.claim({ ...claim('k'), valid_before: until })
  if (!lease) throw new Error('not claimed')
  await ledger.keepReady(lease, product, 1)
  expect(await ledger.unattended()).toEqual([])
  clock.ms = until * 1000 - 1
  expect(await ledger.unattended()).toEqual([])
  clock.ms += 1
  expect((await ledger.unattended()).map(({ key, state }) => [key, state])).toEqual([['k', 'ready']])
})
