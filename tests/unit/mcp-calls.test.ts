import { expect, it } from 'vitest'
import { readCalls } from '../../src/mcp/read-calls.ts'
import { deskUrl, openDesk } from '../support/tool-desk.ts'

const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

it('finds the calls of a batch, and two messages with one id', () => {
  expect(readCalls(JSON.stringify([call(1, 'get_post'), {}]), 2)).toEqual({
    messages: 2,
    tools: [{ name: 'get_post', payment: undefined }],
    hasTwins: false,
  })
  expect(readCalls(JSON.stringify([call(1, 'get_post'), call(1, 'library')]), 2).hasTwins).toBe(true)
})

it('finds every payment, in a single message and in a batch', () => {
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

it('counts only tool calls as calls, and only requests as duplicates', () => {
  const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { name: 'buy_skill' } }
  const answer = { jsonrpc: '2.0', id: 1, result: {} }
  expect(readCalls(JSON.stringify([listed, answer]), 20)).toEqual({ messages: 2, tools: [], hasTwins: false })
  expect(readCalls(JSON.stringify([listed, { ...listed, id: '1' }]), 20).hasTwins).toBe(false)
})

it.each(['', '[]', 'null', '{"method":', '"tools/call"'])('counts %j as one message without a call', (body) => {
  expect(readCalls(body, 20)).toEqual({ messages: 1, tools: [], hasTwins: false })
})

it('only counts the messages of a batch that exceeds the limit', () => {
  // As many as fit into the largest body; parsing them one by one would take seconds.
  const body = `[${'{},'.repeat(190_000)}{}]`
  const from = process.cpuUsage()
  expect(readCalls(body, 20)).toEqual({ messages: 190_001, tools: [], hasTwins: false })
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(600)
})

it('blames the client for a message that breaks off', async () => {
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
