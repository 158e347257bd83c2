import { expect, it } from 'vitest'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { baseUrl, leaflet, openTestShop } from '../support/test-shop.ts'

/** A shop that tells what it counts against the address of a buyer. */
async function open(make: Make = async () => textProduct('a leaflet')) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const counted: number[] = []
  const shop = await openTestShop({
    chain,
    clock,
    make,
    countAgainst: (caller, cost) => void counted.push(caller === 'an address' ? cost : Number.NaN),
  })
  const buy = async ({ signal, amount = 100_000n }: { signal?: AbortSignal; amount?: bigint } = {}) => {
    const headers = { 'payment-signature': (await signPayment({ amount })).header }
    const request = new Request(`${baseUrl}/leaflet`, { headers, ...(signal && { signal }) })
    return (await shop.gateOf(leaflet)(request, 'an address')).status
  }
  return { ...shop, chain, counted, buy }
}

it('counts nothing against the address of a buyer that pays', async () => {
  const { buy, counted } = await open()
  expect([await buy(), counted]).toEqual([200, []])
})

it('counts work whose payment the facilitator then refuses', async () => {
  const { buy, counted, chain } = await open()
  chain.faults.settle.push('refused')
  expect([await buy(), counted]).toEqual([402, [5]])
})

it('counts a payment that no facilitator can check', async () => {
  const { buy, counted, chain } = await open()
  chain.faults.verify.push('down')
  expect([await buy(), counted]).toEqual([503, [3]])
})

it('counts work that is stopped because the buyer left', async () => {
  const buyer = new AbortController()
  const { buy, counted, chain } = await open(async () => {
    buyer.abort()
    return textProduct('a leaflet')
  })
  await buy({ signal: buyer.signal })
  expect([counted, chain.calls.settle]).toEqual([[5], 0])
})

it('counts a search of the chain that finds out nothing', async () => {
  const { buy, counted, chain } = await open()
  chain.faults.oracle.push('down')
  expect([await buy({ amount: 1n }), counted]).toEqual([503, [5]])
})

it('begins no work for a buyer that left while its payment was checked, and charges nothing', async () => {
  const { buy, made, chain } = await open()
  const buyer = new AbortController()
  chain.oracle.witness = async () => {
    buyer.abort()
    return { is: 'unused', asOf: 1 }
  }
  await buy({ signal: buyer.signal })
  expect([made.count, chain.calls.settle]).toEqual([0, 0])
})

it('looks for a refused payment on the chain as far back as a week', async () => {
  const { buy, chain } = await open()
  const since: number[] = []
  chain.oracle.witness = async ({ sinceSeconds }) => {
    since.push(Date.now() / 1000 - sinceSeconds)
    return { is: 'unused', asOf: 1 }
  }
  await buy({ amount: 1n })
  expect(since).toHaveLength(1)
  expect(since[0]).toBeGreaterThanOrEqual(7 * 24 * 60 * 60)
})
