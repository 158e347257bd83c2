import { beforeAll, describe, expect, it } from 'vitest'
import { openBlockList } from '../../src/payments/block-list.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { type SignedPayment, signPayment } from '../support/signed-payments.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { baseUrl, leaflet, openTestShop } from '../support/test-shop.ts'
import type { Transport } from '../support/tool-response.ts'

const amount = 100_000n
let payments: SignedPayment[]
beforeAll(async () => {
  payments = [
    await signPayment({ amount, token: 'a-token' }),
    await signPayment({ amount, token: 'another-token' }),
    await signPayment({ amount }),
  ]
})

async function open(via: Transport) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const blocking = { is: false }
  const shop = await openTestShop({
    ...{ clock, chain, via },
    isBlocked: ({ payer, caller }) => blocking.is && (payer !== undefined || caller !== undefined),
  })
  return { ...shop, blocking, chain }
}

describe.each(['http', 'mcp'] as const)('a blocked wallet, over %s', (via) => {
  it('is refused uncharged and without verification, and its signature stays valid', async () => {
    const { buyLeaflet, blocking, chain, made } = await open(via)
    blocking.is = true
    const [payment] = payments
    const answer = await buyLeaflet(payment?.header)
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { charged: false, title: 'This shop does not sell to you' },
    ])
    expect([chain.calls.verify, chain.calls.transfers, made.count]).toEqual([0, 0, 0])
    blocking.is = false
    expect((await buyLeaflet(payment?.header)).status).toBe(200)
  })

  it('still gets what the same payment bought before, and no price with a payment that is wrong', async () => {
    const { buyLeaflet, blocking, chain } = await open(via)
    const [payment, another] = payments
    expect((await buyLeaflet(payment?.header)).status).toBe(200)
    blocking.is = true
    expect((await buyLeaflet(payment?.header)).status).toBe(200)
    expect((await buyLeaflet(another?.header)).status).toBe(403)
    expect(chain.calls.transfers).toBe(1)
  })

  it('still gets what is found to be paid after the block', async () => {
    const { buyLeaflet, blocking, chain } = await open(via)
    const [payment] = payments
    chain.faults.settle.push('pending-late')
    expect((await buyLeaflet(payment?.header)).status).toBe(503)
    blocking.is = true
    chain.tick()
    expect((await buyLeaflet(payment?.header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
  })

  it('can still prove a wallet that paid, with a new signature that is not charged', async () => {
    const { buyLeaflet, blocking, chain, db } = await open(via)
    const [payment, , fresh] = payments
    expect((await buyLeaflet(payment?.header)).status).toBe(200)
    await db.updateTable('payment').set({ asked_again_at: Date.now() }).execute()
    blocking.is = true
    expect((await buyLeaflet(fresh?.header)).status).toBe(200)
    expect(chain.calls.transfers).toBe(1)
  })
})

it.each([
  ['no payment', {}],
  ['one that cannot be read', { 'payment-signature': 'e30=' }],
  ['one of version 1', { 'x-payment': 'e30=' }],
])('a blocked network address with %s is told no price', async (_, headers: Record<string, string>) => {
  const { gateOf, blocking } = await open('http')
  const ask = async (caller: string) => {
    const answer = await gateOf(leaflet)(new Request(baseUrl + leaflet.path, { headers }), caller)
    return [answer.status, answer.headers.has('payment-required')]
  }
  expect(await ask('198.51.100.7')).toEqual([402, true])
  blocking.is = true
  expect(await ask('198.51.100.7')).toEqual([403, false])
})

it('blocks an address or a wallet in any spelling, and an IPv6 network as a whole', async () => {
  const db = await openTestLedger()
  const blocks = await openBlockList({ db, report: () => {} })
  const wallet = `0x${'ab'.repeat(20)}`
  expect(blocks.isBlocked({ payer: wallet, caller: '198.51.100.7' })).toBe(false)
  const of = { reason: '', since: 1 }
  await db
    .insertInto('block_entry')
    .values([
      { kind: 'wallet', value: wallet, ...of },
      { kind: 'address', value: '198.51.100.7', ...of },
      { kind: 'address', value: '2001:db8:1:2', ...of },
    ])
    .execute()
  await blocks.changed()
  const callers = ['198.51.100.7', '::ffff:198.51.100.7', '2001:DB8:1:2::9', '2001:db8:1:3::9', '198.51.100.8']
  expect(callers.map((caller) => blocks.isBlocked({ caller }))).toEqual([true, true, true, false, false])
  expect(blocks.isBlocked({ payer: `0x${'AB'.repeat(20)}` })).toBe(true)
  await blocks.close()
  await db.destroy()
})
