import { expect, it } from 'vitest'
import { z } from 'zod'
import { openDesk } from '../support/tool-desk.ts'

/** The tools with one of the operator's, who signs in with the word `open`. */
function openOperatorsDesk() {
  const runs: unknown[] = []
  const desk = openDesk({
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
])('a tool of the operator’s runs for who signed in and for nobody else (%s)', async (_, message, headers) => {
  const { runs, post } = openOperatorsDesk()
  const refused = await post(message, headers)
  expect([refused.status, refused.headers.get('www-authenticate'), runs]).toEqual([401, 'Bearer', []])
  const done = await post(message, { ...headers, authorization: 'Bearer open' })
  expect(await done.json()).toMatchObject({ result: { structuredContent: { rung: 2 } } })
  expect(runs).toEqual([2])
})

it('a batch is refused when one of its calls is, and none of them runs', async () => {
  const { runs, post } = openOperatorsDesk()
  expect((await post([call('list_products'), call('ring', { times: 1 }, 2)])).status).toBe(401)
  expect((await post([call('ring', { times: 1 }), call('ring', { times: 2 }, 2)])).status).toBe(401)
  expect(runs).toEqual([])
})

it('everybody sees that the tool is there, and what it takes', async () => {
  const listed = await openOperatorsDesk().post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const { result } = z.object({ result: z.object({ tools: z.array(z.unknown()) }) }).parse(await listed.json())
  expect(result.tools).toContainEqual(
    expect.objectContaining({ name: 'ring', description: "Rings. Needs the operator's sign-in." }),
  )
})

it('wrong arguments are named, and a failure says nothing about its reason', async () => {
  const { noted, post } = openOperatorsDesk()
  const wrong = await post(call('ring', { times: 4 }), { authorization: 'Bearer open' })
  expect(JSON.stringify(await wrong.json())).toContain('/times')
  const failed = await (await post(call('get_stats'))).text()
  expect(failed).toContain('internal-error')
  expect(failed).not.toContain('disk')
  expect(noted).toEqual(['Error: a disk that fails'])
})
