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

it('opens a broken connection again, however many keys were under way', async () => {
  const dungeon = openDungeon(gameHost)
  const { token } = granted(await dungeon.join(agent('Unlucky')))
  gameHost.cutSockets()
  const seen = await Promise.all([dungeon.act(token, '.'), dungeon.look(token), dungeon.act(token, '.')])
  expect(seen.map((each) => granted(each).observation.you.name)).toEqual(['Unlucky', 'Unlucky', 'Unlucky'])
  expect(granted(await dungeon.join({ ...agent('Unlucky'), token })).isResumed).toBe(true)
})

it('leaves a character to whoever took it over, until it is asked for again', async () => {
  const [one, other] = [openDungeon(gameHost), openDungeon(gameHost)]
  const { token } = granted(await one.join(agent('Twin')))
  granted(await other.join({ ...agent('Twin'), token }))
  expect(await one.act(token, 'o')).toMatchObject({
    code: 'not_joined',
    message: expect.stringMatching(/from another place/),
  })
  expect(granted(await one.join({ ...agent('Twin'), token })).isResumed).toBe(true)
})

it('plays over HTTP where no socket gets through, with the same tokens', async () => {
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

it('waits for its turn where keys come faster than the game takes them', async () => {
  const strict = await startMcpGame({ keysPerSecond: 20 })
  const hasty = openDungeon(strict)
  const { token } = granted(await hasty.join(agent('Hasty')))
  for (let keys = 0; keys < 30; keys++) granted(await hasty.act(token, '.'))
  expect(granted(await hasty.look(token)).observation.turn).toBe(30)
  await strict.stop()
})

it('begins anew with a token of a game that began anew', async () => {
  const joined = granted(await openDungeon(gameHost).join({ ...agent('Stale'), token: 'rt_of_another_world' }))
  expect([joined.name, joined.isResumed]).toEqual(['Stale', false])
})

it('says how long to wait also over HTTP, whether keys are too many or what the address asks for', async () => {
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

it('tells what is wrong with a join by its own name', () => {
  const message = { type: 'error', code: 'bad_join', message: 'mode is none' }
  expect(readServerMessage(JSON.stringify(message))).toEqual(message)
  // Reasons that a later host has are told by their words.
  const later = { type: 'error', code: 'too_late', message: 'this dungeon is closed for good' }
  expect(readServerMessage(JSON.stringify(later))).toEqual({ ...later, code: 'server_full' })
})
