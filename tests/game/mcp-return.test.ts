import { afterAll, beforeAll, expect, it } from 'vitest'
import { setTurns } from '../../game-server/core/status.ts'
import { makeSocketDungeon } from '../../game-server/mcp/stdio/socket-dungeon.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'

let gameHost: RunningGameHost
let at = Date.UTC(2026, 10, 27, 23, 50)
beforeAll(async () => {
  gameHost = await startGameHost({ now: () => at })
})
afterAll(() => gameHost.stop())

it('resumes the life of yesterday when its program slept past midnight, and begins none today', async () => {
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

/** Joins a dungeon with a player who dies at the next key. */
async function enterDying(name: string, mode: 'open' | 'daily' = 'daily') {
  const dungeon = makeSocketDungeon(gameHost.wsUrl)
  const joined = await dungeon.join({ name, kind: 'agent', mode })
  if (joined.is === 'refused') throw new Error(joined.message)
  const session = gameHost.game.findByName(name)
  const player = session?.realm.world.players.get(session.player)
  if (!session?.holder || !player) throw new Error(`${name} does not play`)
  player.hp = 1
  setTurns(player, 'poisoned', 50)
  return { dungeon, token: joined.token, session }
}

it('begins nothing in another dungeon when the key that broke the connection ended the life of the day', async () => {
  const { dungeon, token, session } = await enterDying('Bo')
  if (session.holder) session.holder = { ...session.holder, send: () => gameHost.sockets.drop('bo') }
  for (const _ of [1, 2]) expect(await dungeon.act(token, '.')).toMatchObject({ is: 'refused', code: 'no_entry' })
  expect(gameHost.game.findByName('bo')?.realm).toBe(session.realm)
})

it('begins nothing in another dungeon for a player who died in the daily one, after another character was played', async () => {
  const { dungeon, token, session } = await enterDying('Cy')
  expect(await dungeon.act(token, '.')).toMatchObject({ death: { mode: 'daily' } })
  // One process has one socket, so that this join ends the other character's session.
  await dungeon.join({ name: 'Di', kind: 'agent' })
  expect(await dungeon.act(token, '.')).toMatchObject({ is: 'refused', code: 'no_entry' })
  expect(gameHost.game.findByName('cy')?.realm).toBe(session.realm)
  gameHost.sockets.drop('di')
})

it('says that a life is a new one when the key that broke the connection ended the one before', async () => {
  const { dungeon, token, session } = await enterDying('Eve', 'open')
  if (session.holder) session.holder = { ...session.holder, send: () => gameHost.sockets.drop('eve') }
  expect(await dungeon.act(token, '.')).toMatchObject({ is: 'seen', text: expect.stringContaining('a new one') })
  const realm = gameHost.game.findByName('eve')?.realm
  expect([realm === undefined, realm === session.realm]).toEqual([false, false])
  gameHost.sockets.drop('eve')
})

it('tells a program that its life of the day is lost, and begins nothing in another dungeon at the next key', async () => {
  const dungeon = makeSocketDungeon(gameHost.wsUrl)
  const joined = await dungeon.join({ name: 'Fay', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error(joined.message)
  const { realm } = gameHost.game.findByName('fay') ?? {}
  if (!realm) throw new Error('Fay does not play')
  gameHost.sockets.drop('fay')
  await expect.poll(() => gameHost.game.findByName('fay')?.isHere).toBe(false)
  at += 11 * 60_000
  await gameHost.game.tidy()
  await gameHost.db.deleteFrom('snapshot').where('realm', '=', realm.id).execute()
  await gameHost.db.updateTable('input_log').set({ commands: '[{' }).where('realm', '=', realm.id).execute()
  expect(await dungeon.act(joined.token, '.')).toMatchObject({ is: 'refused', code: 'life_lost' })
  expect(await dungeon.act(joined.token, '.')).toMatchObject({ is: 'refused', code: 'no_entry' })
})
