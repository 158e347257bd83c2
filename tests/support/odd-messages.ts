import fc from 'fast-check'
import { anyCharacter } from './any-text.ts'

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 2 ** 53, '', '__proto__', 'Witness', 'rt_', [], {}, 'x'.repeat(3000)),
  fc.string({ maxLength: 40, unit: anyCharacter }),
)

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The tools that a fuzzed message names, and their arguments. */
interface Tools {
  readonly names: readonly string[]
  readonly fields: readonly string[]
  /** A valid payment. */
  readonly payment?: unknown
}

/** Bodies that are nearly MCP messages, and some that are entirely different. */
export function oddBody({ names, fields, payment }: Tools): fc.Arbitrary<string> {
  const tool = fc.record(
    {
      name: fc.oneof(fc.constantFrom(...names), odd),
      arguments: fc.oneof(
        fc.record(Object.fromEntries(fields.map((field) => [field, odd])), { requiredKeys: [] }),
        odd,
      ),
      _meta: fc.oneof(
        fc.constant(envelope),
        fc.oneof(odd, fc.constant(payment)).map((paid) => ({ ...envelope, 'x402/payment': paid })),
        fc.oneof(odd, fc.constant(payment)).map((paid) => ({ 'x402/payment': paid })),
        odd,
      ),
    },
    { requiredKeys: ['name'] },
  )
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ arbitrary: fc.constant('2.0'), weight: 9 }, odd),
      id: fc.oneof({ arbitrary: fc.constant(1), weight: 9 }, odd),
      method: fc.oneof(fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'server/discover'), odd),
      params: fc.oneof({ arbitrary: tool, weight: 4 }, odd),
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  )
  return fc.oneof(
    { arbitrary: message.map((one) => JSON.stringify(one)), weight: 6 },
    fc.array(message, { maxLength: 4 }).map((batch) => JSON.stringify(batch)),
    fc.json({ maxDepth: 3 }),
    fc.string({ maxLength: 100, unit: anyCharacter }),
    fc.constant(`${'['.repeat(30_000)}`),
  )
}

/** Headers that may accompany them. */
export const oddHeaders = fc.record(
  {
    'content-type': fc.oneof({ arbitrary: fc.constant('application/json'), weight: 9 }, fc.constant('text/plain')),
    accept: fc.constantFrom('application/json, text/event-stream', '*/*', 'application/json', 'text/html'),
    'mcp-session-id': fc.constantFrom('', 'nobody', '__proto__'),
    'mcp-protocol-version': fc.constantFrom('2025-11-25', '2026-07-28', '1999-01-01', 'x'),
    'mcp-method': fc.constantFrom('tools/call', 'ping'),
    authorization: fc.constantFrom('Bearer rt_x', 'Bearer', 'Basic rt_x'),
  },
  { requiredKeys: ['content-type', 'accept'] },
)
