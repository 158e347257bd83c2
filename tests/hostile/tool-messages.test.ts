import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CallerLimits, ToolCalls } from '../../src/http/caller-limits.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { oddBody, oddHeaders } from '../support/odd-messages.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { bundle, leaflet, openTestShop } from '../support/test-shop.ts'
import { openDesk } from '../support/tool-desk.ts'

const messages = figure(300, 20_000)

it(
  `the tools of the site answer every message, however broken, without failing and without charging twice (${messages} messages)`,
  async () => {
    const clock = { ms: Date.now() }
    const chain = pretendChain(clock)
    const shop = await openTestShop({ chain, clock })
    const { send, post, noted } = openDesk({ offers: [leaflet, bundle], sell: shop.toolOf })
    const { payload } = await signPayment({ amount: 100_000n, token: 'a-token' })
    const names = ['leaflet', 'bundle', 'search_posts', 'get_post', 'get_product_preview', 'list_products']
    const fields = ['pages', 'query', 'limit', 'slug', 'lane']
    await fc.assert(
      fc.asyncProperty(oddBody({ names, fields, payment: payload }), oddHeaders, async (body, headers) => {
        const answer = await send(body, headers)
        expect(answer.status).toBeLessThan(500)
        await answer.text()
      }),
      { numRuns: messages, ...seed },
    )
    // After all those messages the payment still buys one product, and only one.
    const params = { name: 'leaflet', arguments: {}, _meta: { 'x402/payment': payload } }
    const bought = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(await bought.text()).toContain('made 1')
    expect([shop.made.count, chain.calls.transfers]).toEqual([1, 1])
    expect([...noted, ...shop.errors]).toEqual([])
    await shop.db.destroy()
  },
  limitMs(600_000, 1_200_000),
)

it('counts the calls of a body as the protocol reads it, whatever precedes the JSON', async () => {
  const clock = { ms: Date.now() }
  const shop = await openTestShop({ chain: pretendChain(clock), clock })
  const counted: ToolCalls[] = []
  const limits: CallerLimits = {
    take: async (calls) => {
      counted.push(calls)
      return 0
    },
    chargeFailure: () => {},
  }
  const { send } = openDesk({ offers: [leaflet], sell: shop.toolOf, limits })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'leaflet', arguments: {} } }
  const mark = '\ufeff'
  for (const before of ['', mark, mark + mark, ` ${mark}`, `${mark} `]) {
    counted.length = 0
    const answer = await send(before + JSON.stringify(call))
    const isRead = (await answer.text()).includes('x402Version')
    expect([before, isRead, counted]).toEqual([before, isRead, [isRead ? aQuote : unread]])
    const many = Array.from({ length: 21 }, (_, id) => ({ ...call, id }))
    expect([before, (await send(before + JSON.stringify(many))).status]).toEqual([before, 400])
  }
  await shop.db.destroy()
})

const ask = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
const callOf = (id: unknown) => ask(id, 'tools/call', { name: 'leaflet', arguments: {} })

it('responds to a call that is cancelled in the same batch', async () => {
  const clock = { ms: Date.now() }
  const shop = await openTestShop({ chain: pretendChain(clock), clock })
  const { post } = openDesk({ offers: [leaflet], sell: shop.toolOf })
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  for (const batch of [
    [callOf(1), cancelled],
    [cancelled, callOf(1)],
    [callOf(1), cancelled, ask(2, 'ping')],
  ]) {
    const answer = await post(batch)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('x402Version')])
  }
  expect((await post(cancelled)).status).toBe(202)
  await shop.db.destroy()
})

it('refuses a batch in which two requests have the same id, because one of them would get no response', async () => {
  let isAsked = false
  const sell = () => async () => {
    isAsked = true
    return { content: [] }
  }
  const { post } = openDesk({ offers: [leaflet], sell })
  for (const twins of [
    [callOf(1), ask(1, 'ping')],
    [ask('a', 'ping'), callOf(2), callOf('a')],
  ]) {
    const answer = await post(twins)
    expect([answer.status, (await answer.json()).error.message]).toEqual([400, expect.stringContaining('the same id')])
  }
  expect(isAsked).toBe(false)
  expect((await post([callOf(1), callOf('1')])).status).toBe(200)
  expect((await post([ask(1, 'ping'), { jsonrpc: '2.0', id: 1, result: {} }])).status).toBe(200)
})

const aQuote: ToolCalls = { free: 0, quotes: 1, payments: [] }
const unread: ToolCalls = { free: 1, quotes: 0, payments: [] }
