import { expect, it } from 'vitest'
import { z } from 'zod'
import { openDesk } from '../support/tool-desk.ts'

/** A tool server with one tool for the operator, who signs in with the token `open`. */
function openOperatorsDesk({ query = '' } = {}) {
  const runs: unknown[] = []
  const desk = openDesk({
    query,
    operator: {
      tools: [
        {
          name: 'ring',
          title: 'Ring',
          description: 'Rings.',
          inputSchema: z.object({ times: z.int().max(3) }),
          run: async ({ times }) => {
            runs.push(times)
            return { rung: times }
          },
        },
      ],
      isSignedIn: async ({ headers }) => headers.get('authorization') === 'Bearer open',
      refuse: async ({ headers }) =>
        headers.get('authorization') === 'Bearer open'
          ? undefined
          : new Response('sign in', { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    },
  })
  return { ...desk, runs }
}

const call = (name: string, args: object = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const modern = (name: string, args: object) => ({
  ...call(name, args),
  params: {
    name,
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a-client', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const modernHeaders = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
})

it.each([
  ['2025', call('ring', { times: 2 }), {}],
  ['2026', modern('ring', { times: 2 }), modernHeaders('ring')],
])('an operator tool runs only for a signed-in operator (%s)', async (_, message, headers) => {
  const { runs, post } = openOperatorsDesk()
  const refused = await post(message, headers)
  expect([refused.status, refused.headers.get('www-authenticate'), runs]).toEqual([401, 'Bearer', []])
  const done = await post(message, { ...headers, authorization: 'Bearer open' })
  expect(await done.json()).toMatchObject({ result: { structuredContent: { rung: 2 } } })
  expect(runs).toEqual([2])
})

it('a batch is refused if one of its calls is, and none of them runs', async () => {
  const { runs, post } = openOperatorsDesk()
  expect((await post([call('list_products'), call('ring', { times: 1 }, 2)])).status).toBe(401)
  expect((await post([call('ring', { times: 1 }), call('ring', { times: 2 }, 2)])).status).toBe(401)
  expect(runs).toEqual([])
})

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

it('an operator tool is listed for a signed-in operator only', async () => {
  const { post } = openOperatorsDesk()
  const namesFor = async (headers: Record<string, string>) => {
    const listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) })
    return listed.parse(await (await post(list, headers)).json()).result.tools.map(({ name }) => name)
  }
  expect(await namesFor({ authorization: 'Bearer open' })).toContain('ring')
  for (const headers of [{}, { authorization: 'Bearer forged' }]) expect(await namesFor(headers)).not.toContain('ring')
})

it('a list with operator tools is not cached for others', async () => {
  const { post } = openOperatorsDesk()
  const { method, ...rest } = modern('ring', {})
  const { _meta } = rest.params
  const scopeFor = async (headers: Record<string, string>) => {
    const message = { ...rest, method: 'tools/list', params: { _meta } }
    const answer = await post(message, { ...modernHeaders('ring'), 'mcp-method': 'tools/list', ...headers })
    return z.object({ result: z.looseObject({ cacheScope: z.string() }) }).parse(await answer.json()).result.cacheScope
  }
  expect(method).toBe('tools/call')
  expect([await scopeFor({}), await scopeFor({ authorization: 'Bearer open' })]).toEqual(['public', 'private'])
})

it('the operator’s address demands sign-in at once, so that a client discovers it', async () => {
  const { post } = openOperatorsDesk({ query: '?operator' })
  const refused = await post(list)
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect((await post(list, { authorization: 'Bearer open' })).status).toBe(200)
})

it('wrong arguments are named, and a failure does not reveal its reason', async () => {
  const { noted, post } = openOperatorsDesk()
  const wrong = await post(call('ring', { times: 4 }), { authorization: 'Bearer open' })
  expect(JSON.stringify(await wrong.json())).toContain('/times')
  const failed = await (await post(call('get_sales_statistics'))).text()
  expect(failed).toContain('internal-error')
  expect(failed).not.toContain('disk')
  expect(noted).toEqual(['Error: a disk that fails'])
})
