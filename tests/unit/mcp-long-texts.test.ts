import { expect, it } from 'vitest'
import { modernRevision } from '../../src/mcp/plain-message.ts'
import { toToolName } from '../../src/mcp/tool-shelf.ts'
import { leaflet } from '../support/test-shop.ts'
import { openDesk } from '../support/tool-desk.ts'

const uri = 'purchase:///r_1/token/text.txt'
/** Characters that JSON escapes, and characters that a reader might take for the end of a line or a text. */
const text = `\ufeff"quoted" \\ back\u0000\u001f\r\n\u2028 é 東 😀 $& $1 </script>${'x'.repeat(70_000)}`
const client = { 'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' } }
const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...client,
  },
}
const modernHeaders = {
  'mcp-protocol-version': modernRevision,
  'mcp-method': 'resources/read',
  'mcp-name': uri,
}
const read = (id: number, more = {}) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri, ...more } })
const bytesOf: Record<string, Uint8Array> = { [uri]: new TextEncoder().encode(text) }
const { post } = openDesk({
  readPurchase: async (asked) => bytesOf[asked] && { body: bytesOf[asked], mimeType: 'text/plain; charset=utf-8' },
})
const contents = [{ uri, mimeType: 'text/plain; charset=utf-8', text }]

it.each([
  ['2025', () => post(read(1))],
  ['2026', () => post(read(1, modern), modernHeaders)],
])('a purchase is read unchanged by clients of %s', async (_, ask) => {
  const answer = await ask()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  const bytes = await answer.clone().arrayBuffer()
  expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength))
  const { id, result } = await answer.json()
  expect([id, result.contents[0].text === text]).toEqual([1, true])
  expect(result).toMatchObject({ contents })
})

it('several are read in one batch, beside one that does not exist', async () => {
  const [first, none, second] = await (
    await post([read(1), { ...read(2), params: { uri: `${uri}x` } }, read(3)])
  ).json()
  expect([first, second]).toMatchObject([
    { id: 1, result: { contents } },
    { id: 3, result: { contents } },
  ])
  expect(none).toMatchObject({ id: 2, error: { message: expect.stringMatching(/not found/i) } })
})

it.each([
  ['2025', {}, {}],
  ['2026', modern, { ...modernHeaders, 'mcp-method': 'tools/call', 'mcp-name': toToolName(leaflet) }],
])(
  'a long object in a tool result is the same as text and as structured content, for clients of %s',
  async (_, more, headers) => {
    const told = { at: `"é" \\ ${'x'.repeat(5000)}` }
    const call = async () => ({
      content: [{ type: 'text' as const, text: JSON.stringify(told) }],
      structuredContent: told,
    })
    const desk = openDesk({ offers: [leaflet], sell: () => call })
    const params = { name: toToolName(leaflet), arguments: {}, ...more }
    const answer = await desk.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
    const { result } = await answer.json()
    expect([JSON.parse(result.content[0].text), result.structuredContent]).toEqual([told, told])
  },
)
