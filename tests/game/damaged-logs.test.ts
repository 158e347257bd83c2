import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { replay } from '../../game-server/core/replay.ts'
import { saveWorld } from '../../game-server/core/save-world.ts'
import type { Command } from '../../game-server/core/step.ts'
import { rules } from '../../game-server/core/world.ts'
import { loadRealmWorld, readCommands, UnreadableLog } from '../../game-server/realms/load-realm.ts'
import { readReplay } from '../../game-server/sessions/read-replay.ts'
import type { GameDatabase } from '../../game-server/storage/open-game-database.ts'
import { openTestGame } from '../support/test-databases.ts'

const realm = { id: 'r_1', seed: 'ab'.repeat(32), rules }
const keys = ['o', 'o', '.', 'east', 'o', 'west', '.', 'o', 'south', 'o', 'north']
const commands: Command[] = [
  { is: 'join', name: 'Ada', kind: 'agent' },
  ...keys.map((key): Command => ({ is: 'key', player: 1, key })),
]
const perRow = 3

let db: GameDatabase
beforeEach(async () => {
  db = await openTestGame()
  const times = { opened_at: 1, closed_at: 2, frozen_at: null }
  await db
    .insertInto('realm')
    .values({ ...realm, mode: 'open', event: null, ...times, owner: null, fence: 1 })
    .execute()
  for (let first = 0; first < commands.length; first += perRow)
    await db
      .insertInto('input_log')
      .values({
        ...{ realm: realm.id, first, count: perRow },
        commands: JSON.stringify(commands.slice(first, first + perRow)),
      })
      .execute()
})
afterEach(() => db.destroy())

const load = () => loadRealmWorld(db, realm, () => {})
const lose = (first: number) => db.deleteFrom('input_log').where('first', '=', first).execute()
const keepSnapshot = (count: number) =>
  db
    .insertInto('snapshot')
    .values({
      ...{ realm: realm.id, commands: count },
      state: deflateRawSync(saveWorld(replay(realm.seed, commands.slice(0, count), rules).world)),
    })
    .execute()

describe('a log', () => {
  it.each([0, 3, 4, 5, 6, commands.length])(
    'leads to the same world, also from a snapshot of %i commands',
    async (count) => {
      await keepSnapshot(count)
      const { world, commands: last } = await load()
      expect([last, hashWorld(world)]).toEqual([commands.length, replay(realm.seed, commands, rules).hash])
    },
  )

  it.each([
    { missing: 0, snapshot: undefined },
    { missing: 3, snapshot: undefined },
    { missing: 6, snapshot: 4 },
    { missing: 3, snapshot: 4 },
  ])('with rows missing at $missing is damaged, also with a snapshot of $snapshot', async ({ missing, snapshot }) => {
    if (snapshot !== undefined) await keepSnapshot(snapshot)
    await lose(missing)
    await expect(load()).rejects.toThrow(UnreadableLog)
    await expect(readCommands(db, realm.id)).rejects.toThrow(UnreadableLog)
  })

  it('may lack rows that a snapshot covers', async () => {
    await keepSnapshot(6)
    await lose(3)
    expect((await load()).commands).toBe(commands.length)
  })

  it.each(['[{', '[]', '[{"is":"key","player":1,"key":"o"}]', '{"length":3}'])(
    'with a row of %s is damaged',
    async (text) => {
      await db.updateTable('input_log').set({ commands: text }).where('first', '=', 3).execute()
      await expect(load()).rejects.toThrow(realm.id)
      await expect(load()).rejects.toThrow(UnreadableLog)
    },
  )

  it('that ends before it should proves nothing', async () => {
    await lose(9)
    await expect(readCommands(db, realm.id, commands.length)).rejects.toThrow('ends after 9 of 12')
    expect(await readCommands(db, realm.id, 8)).toEqual(commands.slice(0, 8))
  })

  it('is not reported as damaged when the database fails', async () => {
    await db.schema.dropTable('input_log').execute()
    const failure: unknown = await load().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(UnreadableLog)
  })

  it('with missing rows is not published as a whole one', async () => {
    const figures = { depth: 1, turn: 1, gold: 0, kills: 0, score: 1000, has_won: 0, credits: 0 }
    await db
      .insertInto('life')
      .values({
        ...{ id: 'd_1', realm: realm.id, player: 1, account: 'ada', name: 'Ada', kind: 'agent', mode: 'open' },
        ...{ event: null, cause: 'fell', frame: 'plain', at: 1, hash: 'ab', commands: commands.length, ...figures },
      })
      .execute()
    const read = async () => {
      const told = await readReplay({ db, cups: { isRevealed: async () => true }, now: Date.now }, 'd_1')
      if (typeof told === 'string') throw new Error(told)
      return JSON.parse((await Array.fromAsync(told.pieces)).join(''))
    }
    expect(await read()).toMatchObject({ commands })
    await lose(6)
    await expect(read()).rejects.toThrow('goes on with command 9 where 6 should be')
  })
})
