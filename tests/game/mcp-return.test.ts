import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSocketDungeon } from '../../game-server/mcp/stdio/socket-dungeon.ts'
import { type GameHouse, openGameHouse } from '../support/game-house.ts'

let house: GameHouse
let at = Date.UTC(2026, 10, 27, 23, 50)
beforeAll(async () => {
  house = await openGameHouse({ now: () => at })
})
afterAll(() => house.stop())

it('goes on with the life of yesterday whose program slept over midnight, and begins none of today', async () => {
  const dungeon = makeSocketDungeon(house.wsUrl)
  const joined = await dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error(joined.message)
  await dungeon.act(joined.token, '.')
  house.sockets.drop('ada')
  await expect.poll(() => house.game.findByName('ada')?.isHere).toBe(false)
  at += 20 * 60_000
  await house.game.tidy()
  expect([...house.game.realms()]).toEqual([])
  const seen = await dungeon.act(joined.token, '.')
  expect(seen).toMatchObject({ is: 'seen', observation: { turn: 2 } })
  expect(house.game.findByName('ada')?.realm.event).toBe('2026-11-27')
  house.sockets.drop('ada')
})
