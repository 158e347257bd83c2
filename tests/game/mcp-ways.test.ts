import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeHttpDungeon } from '../../game-server/mcp/stdio/http-dungeon.ts'
import { openDungeon } from '../../game-server/mcp/stdio/open-dungeon.ts'
import { readServerMessage } from '../../game-server/mcp/stdio/server-message.ts'
import type { Refusal, Seen } from '../../game-server/protocol/dungeon.ts'
import { type McpGame, startMcpGame } from '../support/mcp-game.ts'

let gameHost: McpGame
beforeAll(async () => {
  gameHost = await startMcpGame()
})
afterAll(() => gameHost.stop())

const agent = (name: string) => ({ name, kind: 'agent' }) as const

function granted<Answer extends Seen>(answer: Answer | Refusal): Answer {
  if (answer.is === 'refused') throw new Error(answer.message)
  return answer
}

it('reopens a broken connection, however many keys were in flight', async () => {
  const dungeon = openDungeon(gameHost)
  const { token } = granted(await dungeon.join(agent('Unlucky')))
  gameHost.cutSockets()
  const seen = await Promise.all([dungeon.act(token, '.'), dungeon.look(token), dungeon.act(token, '.')])
  expect(seen.map((each) => granted(each).observation.you.name)).toEqual(['Unlucky', 'Unlucky', 'Unlucky'])
  expect(granted(await dungeon.join({ ...agent('Unlucky'), token })).isResumed).toBe(true)
})

it('leaves a character to another client that took it over, until it is asked for again', async () => {
  const [one, other] = [openDungeon(gameHost), openDungeon(gameHost)]
  const { token } = granted(await one.join(agent('Twin')))
  granted(await other.join({ ...agent('Twin'), token }))
  expect(await one.act(token, 'o')).toMatchObject({
    code: 'not_joined',
    message: expect.stringMatching(/from another place/),
  })
  expect(granted(await one.join({ ...agent('Twin'), token })).isResumed).toBe(true)
})

it('plays over HTTP where sockets are blocked, with the same tokens', async () => {
  const { gameUrl } = gameHost
  const walled = openDungeon({ gameUrl, wsUrl: `${gameUrl.replace('http', 'ws')}/nothing-here` })
  const { token, text } = granted(await walled.join(agent('Walled')))
  expect(text).toMatch(/^DEPTH 1 /)
  const { keys } = granted(await walled.look(token)).observation
  expect(await walled.act(token, 'xyzzy')).toMatchObject({ code: 'bad_key', keys: keys.map(({ key }) => key) })
  expect(granted(await walled.act(token, '.')).text).toMatch(/^DEPTH 1 /)
  expect(granted(await openDungeon(gameHost).join({ ...agent('Walled'), token }))).toMatchObject({
    isResumed: true,
    token,
  })
})

it('waits when keys come faster than the game accepts them', async () => {
  const strict = await startMcpGame({ keysPerSecond: 20 })
  const hasty = openDungeon(strict)
  const { token } = granted(await hasty.join(agent('Hasty')))
  for (let keys = 0; keys < 30; keys++) granted(await hasty.act(token, '.'))
  expect(granted(await hasty.look(token)).observation.turn).toBe(30)
  await strict.stop()
})

it('begins a new life with a token of a game whose data was reset', async () => {
  const joined = granted(await openDungeon(gameHost).join({ ...agent('Stale'), token: 'rt_of_another_world' }))
  expect([joined.name, joined.isResumed]).toEqual(['Stale', false])
})

it('also says over HTTP how long to wait, for too many keys and for too many joins of an address', async () => {
  const at = Date.now()
  const strict = await startMcpGame({ keysPerSecond: 20, exemptsLoopback: false, now: () => at })
  const dungeon = makeHttpDungeon(strict.gameUrl)
  const { token } = granted(await dungeon.join(agent('Eager')))
  const pressTooMuch = async (): Promise<Refusal> => {
    for (;;) {
      const seen = await dungeon.act(token, '<')
      if (seen.is === 'refused') return seen
    }
  }
  expect(await pressTooMuch()).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) })
  for (let join = 2; join <= 10; join++) granted(await dungeon.join(agent(`Eager-${join}x`)))
  expect(await dungeon.join(agent('Eleventh'))).toEqual({
    is: 'refused',
    code: 'rate_limited',
    message: 'Your address joined too often; try again in 6 seconds',
  })
  await strict.stop()
})

it('reports the code of a refused join', () => {
  const message = { type: 'error', code: 'bad_join', message: 'mode is none' }
  expect(readServerMessage(JSON.stringify(message))).toEqual(message)
  // Codes that only a later host knows are reported with their message.
  const later = { type: 'error', code: 'too_late', message: 'this dungeon is closed for good' }
  expect(readServerMessage(JSON.stringify(later))).toEqual({ ...later, code: 'server_full' })
})
