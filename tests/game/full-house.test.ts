import { expect, it } from 'vitest'
import { makeWorld } from '../../game-server/core/world.ts'
import { makeLogKeeper } from '../../game-server/realms/log-keeper.ts'
import { makeRealmRegister } from '../../game-server/realms/realm-register.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'

const realms = 10_000

it('writes events in ten thousand realms at once, as when all players leave', async () => {
  const db = await openGameDatabase(':memory:')
  const now = () => 0
  const said: unknown[] = []
  const keeper = makeLogKeeper({ db, log: (_event, fields) => said.push(fields), now, pay: async () => {} })
  const register = makeRealmRegister({ now, inputLimits: { perSecond: 20, burst: 40 } })
  const seed = 'ab'.repeat(32)
  // Only what the test writes happens in this world.
  const world = makeWorld(seed)
  const happen = (): void => {
    for (const realm of register.all()) {
      realm.unwritten.commands.push({ is: 'leave', player: 1 })
      realm.commands++
      keeper.remember(realm)
    }
  }
  // In the daily dungeon every player has a realm of their own.
  for (let player = 0; player < realms; player++)
    register.add({ id: `r_${player}`, mode: 'daily', event: '2026-11-27', seed, openedAt: 0, world }, true)
  happen()
  expect([await keeper.flush(), said]).toEqual([[], []])
  // Rows that may be on disk already (isDoubted) are written by other statements.
  happen()
  for (const realm of register.all()) realm.unwritten.isDoubted = true
  expect([await keeper.flush(), said]).toEqual([[], []])
  const { count } = await db
    .selectFrom('input_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(2 * realms)
  await db.destroy()
})
