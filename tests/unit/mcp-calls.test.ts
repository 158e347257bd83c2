import { expect, it } from 'vitest'
import { readCalls } from '../../src/mcp/read-calls.ts'
import { deskUrl, openDesk } from '../support/tool-desk.ts'

const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

it('finds the calls of a batch, and two messages under one id', () => {
  expect(readCalls(JSON.stringify([call(1, 'get_post'), {}]), 2)).toEqual({
    messages: 2,
    tools: [{ name: 'get_post', payment: undefined }],
    hasTwins: false,
  })
  expect(readCalls(JSON.stringify([call(1, 'get_post'), call(1, 'library')]), 2).hasTwins).toBe(true)
})

it('finds what is paid with, whatever it is, in one message as in many', () => {
  const paid = (payment: unknown) => ({
    ...call(1, 'buy_skill'),
    params: { name: 'buy_skill', arguments: {}, _meta: { other: 1, 'x402/payment': payment } },
  })
  for (const payment of ['base64', { x402Version: 2 }, null])
    expect(readCalls(JSON.stringify(paid(payment)), 20)).toEqual({
      messages: 1,
      tools: [{ name: 'buy_skill', payment }],
      hasTwins: false,
    })
  const unpaid = { ...call(2, 'buy_skill'), params: { name: 'buy_skill', _meta: 'x402/payment' } }
  expect(readCalls(JSON.stringify([paid('one'), unpaid]), 20).tools).toEqual([
    { name: 'buy_skill', payment: 'one' },
    { name: 'buy_skill', payment: undefined },
  ])
})

it('calls a tool for nothing but a call of it, and twins for nothing but two that ask', () => {
  const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { name: 'buy_skill' } }
  const answer = { jsonrpc: '2.0', id: 1, result: {} }
  expect(readCalls(JSON.stringify([listed, answer]), 20)).toEqual({ messages: 2, tools: [], hasTwins: false })
  expect(readCalls(JSON.stringify([listed, { ...listed, id: '1' }]), 20).hasTwins).toBe(false)
})

it.each(['', '[]', 'null', '{"method":', '"tools/call"'])('counts %j as one message that calls nothing', (body) => {
  expect(readCalls(body, 20)).toEqual({ messages: 1, tools: [], hasTwins: false })
})

it('only counts the messages of a batch that has more than it may', () => {
  // As many as the largest body has room for; looked at one by one they take seconds.
  const body = `[${'{},'.repeat(190_000)}{}]`
  const from = process.cpuUsage()
  expect(readCalls(body, 20)).toEqual({ messages: 190_001, tools: [], hasTwins: false })
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(600)
})

it('takes a message that breaks off for the fault of who sent it', async () => {
  const { mcp, noted } = openDesk()
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('read ECONNRESET')) })
  const headers = { 'content-type': 'application/json' }
  const broken: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const refused = await mcp(new Request(`${deskUrl}/api/mcp`, broken))
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('ended too early') } },
  ])
  expect(noted).toEqual([])
})
