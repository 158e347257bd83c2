import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMcpRoutes } from '../../game-server/mcp/serve-http.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type GameHouse, openGameHouse } from '../support/game-house.ts'

const messages = figure(200, 10_000)
const gameUrl = 'http://game.test'

let house: GameHouse
let token: string
beforeAll(async () => {
  house = await openGameHouse()
  const joined = await house.dungeon.join({ name: 'Witness', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  token = joined.token
})
afterAll(() => house.stop())

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 2 ** 53, '', '__proto__', 'Witness', 'rt_', [], {}, 'x'.repeat(3000)),
  fc.string({ maxLength: 40, unit: 'binary' }),
)
const tool = fc.record(
  {
    name: fc.oneof(fc.constantFrom('dungeon_join', 'dungeon_look', 'dungeon_action'), odd),
    arguments: fc.oneof(fc.record({ name: odd, key: odd, session: odd, mode: odd }, { requiredKeys: [] }), odd),
    _meta: fc.oneof(
      fc.constant({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }),
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
const body = fc.oneof(
  { arbitrary: message.map((one) => JSON.stringify(one)), weight: 6 },
  fc.array(message, { maxLength: 4 }).map((batch) => JSON.stringify(batch)),
  fc.json({ maxDepth: 3 }),
  fc.string({ maxLength: 100, unit: 'binary' }),
  fc.constant(`${'['.repeat(30_000)}`),
)
const headers = fc.record(
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

it(
  'answers every message over HTTP, however broken, without failing and without playing for anybody else',
  async () => {
    const routes = makeMcpRoutes({
      dungeon: house.dungeon,
      addresses: { gameUrl, wsUrl: 'ws://game.test/ws' },
      baseUrl: 'http://site.test',
      now: Date.now,
    })
    const handle = routes[0]?.handlers.POST
    if (!handle) throw new Error('the tools are not served')
    const before = await house.dungeon.look(token)
    await fc.assert(
      fc.asyncProperty(body, headers, async (text, given) => {
        const host = { host: 'game.test' }
        const request = new Request(`${gameUrl}/mcp`, { method: 'POST', headers: { ...given, ...host }, body: text })
        const response = await handle(request, '')
        expect(response.status).toBeLessThan(500)
        await response.text()
      }),
      { numRuns: messages, ...seed },
    )
    const after = await house.dungeon.look(token)
    expect(after.is === 'seen' && before.is === 'seen' && after.observation.turn === before.observation.turn).toBe(true)
    expect(house.noted).toEqual([])
  },
  limitMs(30_000, 600_000),
)
