import { expect, it } from 'vitest'
import { readCalls } from '../../src/mcp/read-calls.ts'

const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

it('finds the calls of a batch, and two messages under one id', () => {
  expect(readCalls(JSON.stringify([call(1, 'get_post'), {}]), 2)).toEqual({
    messages: 2,
    tools: [{ name: 'get_post', payment: undefined }],
    hasTwins: false,
  })
  expect(readCalls(JSON.stringify([call(1, 'get_post'), call(1, 'library')]), 2).hasTwins).toBe(true)
})

it('only counts the messages of a batch that has more than it may', () => {
  // As many as the largest body has room for; looked at one by one they take seconds.
  const body = `[${'{},'.repeat(190_000)}{}]`
  const from = process.cpuUsage()
  expect(readCalls(body, 20)).toEqual({ messages: 190_001, tools: [], hasTwins: false })
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(600)
})
