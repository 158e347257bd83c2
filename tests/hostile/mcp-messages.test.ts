import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMcpRoutes } from '../../game-server/mcp/serve-http.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { oddBody, oddHeaders } from '../support/odd-messages.ts'

const messages = figure(200, 10_000)
const gameUrl = 'http://game.test'

let gameHost: RunningGameHost
let token: string
beforeAll(async () => {
  gameHost = await startGameHost()
  const joined = await gameHost.dungeon.join({ name: 'Witness', kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  token = joined.token
})
afterAll(() => gameHost.stop())

const tools = { names: ['dungeon_join', 'dungeon_look', 'dungeon_action'], fields: ['name', 'key', 'session', 'mode'] }

it(
  'answers every message over HTTP, however broken, without failing and without playing for anybody else',
  async () => {
    const routes = makeMcpRoutes({
      dungeon: gameHost.dungeon,
      addresses: { gameUrl, wsUrl: 'ws://game.test/ws' },
      baseUrl: 'http://site.test',
      admit: () => 0,
      now: Date.now,
    })
    const handle = routes[0]?.handlers.POST
    if (!handle) throw new Error('the tools are not served')
    const before = await gameHost.dungeon.look(token)
    await fc.assert(
      fc.asyncProperty(oddBody(tools), oddHeaders, async (text, given) => {
        const host = { host: 'game.test' }
        const request = new Request(`${gameUrl}/mcp`, { method: 'POST', headers: { ...given, ...host }, body: text })
        const response = await handle(request, '', '203.0.113.1')
        expect(response.status).toBeLessThan(500)
        await response.text()
      }),
      { numRuns: messages, ...seed },
    )
    const after = await gameHost.dungeon.look(token)
    expect(after.is === 'seen' && before.is === 'seen' && after.observation.turn === before.observation.turn).toBe(true)
    expect(gameHost.noted).toEqual([])
  },
  limitMs(600_000, 600_000),
)
