import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unlimited } from '../../src/http/caller-limits.ts'
import { figure, seed } from '../support/figures.ts'
import { oddBody, oddHeaders } from '../support/odd-messages.ts'
import { booklet, leaflet } from '../support/test-shop.ts'
import { openDesk } from '../support/tool-desk.ts'

const post = '# Tides\n\nThe “sea” rises.'
const desk = openDesk({
  library: { posts: [], skills: [], find: async (path) => (path === '/posts/tides.md' ? post : undefined) },
  search: ({ q }) => ({ query: q, total: 0, results: [] }),
})

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const revision = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = (method: string, name?: string) => ({
  ...json,
  'mcp-protocol-version': revision,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})
const legacy = { ...json, 'mcp-protocol-version': '2025-11-25' }
const message = (method: string, params?: object, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) })
const call = (name: string, given?: object, meta?: object) =>
  message('tools/call', { name, ...(given && { arguments: given }), ...(meta && { _meta: meta }) })

const requestId = 'r-1'
const answerPlainly = async (headers: Record<string, string>, body: string) => {
  const bytes = await desk.answerPlainly(headers, body, { requestId, limits: unlimited })
  return bytes && JSON.parse(bytes.toString('utf8'))
}
const answerByLibrary = async (headers: Record<string, string>, body: string) => {
  const answer = await desk.send(body, { ...headers, 'x-request-id': requestId })
  return { status: answer.status, type: answer.headers.get('content-type'), json: await answer.json() }
}

/** A case: its name, its headers, its body. */
type Case = readonly [string, Record<string, string>, string]

describe('a plain message to the tools', () => {
  it.each<Case>([
    ['a call of 2025', legacy, call('get_post', { slug: 'tides' })],
    ['a call without a revision', json, call('get_post', { slug: 'tides' })],
    ['a call of any type of answer', { ...legacy, accept: '*/*' }, call('search_posts', { query: 'sea' })],
    ['a call that does not say which types it takes', { 'content-type': 'application/json' }, call('list_products')],
    ['a call with a number for its progress', json, call('list_products', {}, { progressToken: 7 })],
    ['a call of what is not there', legacy, call('get_post', { slug: 'absent' })],
    ['a call that is wrong', legacy, call('get_post', { slug: 5, more: [] })],
    ['a call without arguments', legacy, call('search_posts')],
    ['a call that breaks', legacy, call('get_sales_statistics', {})],
    ['a call of 2026', modern('tools/call', 'get_post'), call('get_post', { slug: 'tides' }, envelope)],
    ['a wrong call of 2026', modern('tools/call', 'get_post'), call('get_post', {}, envelope)],
    [
      'a call in a set of characters',
      { ...legacy, 'content-type': 'Application/JSON; charset=UTF-8' },
      call('list_products'),
    ],
    ['the list of 2025', legacy, message('tools/list')],
    ['the list of 2025 with a word for its progress', legacy, message('tools/list', { _meta: { progressToken: 'a' } })],
    ['the list of 2025 with parameters', legacy, message('tools/list', {}, 'an “id”')],
    ['the list of 2026', modern('tools/list'), message('tools/list', { _meta: envelope })],
    [
      'the list of 2026 with a number for its progress, by a client with a title',
      modern('tools/list'),
      message('tools/list', {
        _meta: {
          ...envelope,
          progressToken: 7,
          'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1', title: 'A' },
        },
      }),
    ],
  ])('is answered as the protocol library does: %s', async (_what, headers, body) => {
    const plain = await answerPlainly(headers, body)
    expect(plain).toBeDefined()
    expect(await answerByLibrary(headers, body)).toEqual({ status: 200, type: 'application/json', json: plain })
  })

  it.each<Case>([
    ['a payment', legacy, call('get_post', { slug: 'tides' }, { 'x402/payment': {} })],
    ['a tool that nobody has', legacy, call('absent', {})],
    ['somebody who signed in', { ...legacy, authorization: 'Bearer x' }, message('tools/list')],
    ['a page of another site', { ...legacy, origin: 'https://evil.test' }, message('tools/list')],
    ['a session', { ...legacy, 'mcp-session-id': 'x' }, message('tools/list')],
    ['a revision that nobody speaks', { ...json, 'mcp-protocol-version': '1999-01-01' }, message('tools/list')],
    ['another name in its headers', modern('tools/call', 'list_products'), call('get_post', {}, envelope)],
    ['another method in its headers', modern('tools/call'), message('tools/list', { _meta: envelope })],
    ['a page of the list', legacy, message('tools/list', { cursor: 'x' })],
    ['a number that is none for its id', legacy, message('tools/list', {}, 1.5)],
    ['no id', legacy, JSON.stringify({ jsonrpc: '2.0', method: 'tools/list' })],
    ['another message beside it', legacy, `[${message('tools/list')}]`],
    ['another type', { ...legacy, 'content-type': 'text/plain' }, message('tools/list')],
    ['a type that begins so', { ...legacy, 'content-type': 'application/json-seq' }, message('tools/list')],
    ['a type that ends so', { ...legacy, 'content-type': 'x-application/json' }, message('tools/list')],
    ['a place in a stream', { ...legacy, 'last-event-id': '7' }, message('tools/list')],
    ['what only its host understands', legacy, message('tools/list', { _meta: { other: 1 } })],
    ['a wish for events alone', { ...legacy, accept: 'text/event-stream' }, message('tools/list')],
    ['half of its JSON', legacy, message('tools/list').slice(0, -1)],
  ])('with %s is not plain, and left to the library', async (_what, headers, body) => {
    expect(await answerPlainly(headers, body)).toBeUndefined()
  })

  it('is answered as the library does, however odd it is', async () => {
    let answered = 0
    const plain = fc
      .dictionary(fc.constantFrom('slug', 'query', 'lane', '__proto__'), fc.jsonValue({ maxDepth: 2 }))
      .chain((args) => fc.constantFrom(call('get_post', args), call('get_post', args, envelope)))
    const odd = oddBody({ names: ['get_post', 'list_products', 'search_posts'], fields: ['slug', 'query', 'lane'] })
    const bodies = fc.oneof(plain, odd)
    const given: fc.Arbitrary<object> = fc.oneof(
      fc.constantFrom(legacy, modern('tools/call', 'get_post'), modern('tools/list')),
      oddHeaders,
    )
    const headers = given.map((some): Record<string, string> => ({ ...json, ...some }))
    await fc.assert(
      fc.asyncProperty(bodies, headers, async (body, sent) => {
        const answer = await answerPlainly(sent, body)
        if (answer === undefined) return
        answered++
        expect(await answerByLibrary(sent, body)).toMatchObject({ status: 200, json: answer })
      }),
      { numRuns: figure(300, 20_000), ...seed },
    )
    expect(answered).toBeGreaterThan(0)
  })

  it('gets the same list of products every time, filtered by kind', async () => {
    const shop = openDesk({ offers: [leaflet, booklet] })
    const headers = modern('tools/call', 'list_products')
    for (const lane of ['content', 'hostedApi', undefined, 'skill', 'content', undefined]) {
      const body = call('list_products', lane === undefined ? {} : { lane }, envelope)
      const plain = await shop.answerPlainly(headers, body, { requestId, limits: unlimited })
      const byLibrary = await (await shop.send(body, headers)).json()
      expect(JSON.parse(`${plain}`)).toEqual(byLibrary)
      const { products } = byLibrary.result.structuredContent
      const sold = [leaflet, booklet].filter((offer) => lane === undefined || offer.lane === lane)
      expect(products.map(({ slug }: { slug: string }) => slug)).toEqual(sold.map(({ slug }) => slug))
    }
  })

  it('is counted, and left to the library if it has to wait, which then says so', async () => {
    const asked: unknown[] = []
    const limits = { ...unlimited, take: async (calls: object) => asked.push(calls) }
    const body = call('list_products', {})
    expect(await desk.answerPlainly(legacy, body, { requestId, limits })).toBeUndefined()
    expect(asked).toEqual([{ free: 1, quotes: 0, payments: [] }])
  })
})
