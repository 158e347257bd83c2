import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSocketDungeon } from '../../game-server/mcp/stdio/socket-dungeon.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'

let gameHost: RunningGameHost
let at = Date.UTC(2026, 10, 27, 23, 50)
beforeAll(async () => {
  gameHost = await startGameHost({ now: () => at })
})
afterAll(() => gameHost.stop())

it('goes on with the life of yesterday whose program slept over midnight, and begins none of today', async () => {
  const dungeon = makeSocketDungeon(gameHost.wsUrl)
  const joined = await dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error(joined.message)
  await dungeon.act(joined.token, '.')
  gameHost.sockets.drop('ada')
  await expect.poll(() => gameHost.game.findByName('ada')?.isHere).toBe(false)
  at += 20 * 60_000
  await gameHost.game.tidy()
  expect([...gameHost.game.realms()]).toEqual([])
  const seen = await dungeon.act(joined.token, '.')
  expect(seen).toMatchObject({ is: 'seen', observation: { turn: 2 } })
  expect(gameHost.game.findByName('ada')?.realm.event).toBe('2026-11-27')
  gameHost.sockets.drop('ada')
})
