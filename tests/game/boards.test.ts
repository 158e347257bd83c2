import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeLives } from '../../game-server/sessions/lives.ts'
import type { LifeTable } from '../../game-server/storage/game-schema.ts'
import { type GameDatabase, openGameDatabase } from '../../game-server/storage/open-game-database.ts'

const players = 20_000
const livesOfEach = 3
const today = '2026-11-27'

let folder: string
let db: GameDatabase
let stored: readonly LifeTable[]

/** Lives of many players, in which scores, turns and end times repeat. */
const toLife = (number: number): LifeTable => ({
  id: `d_${number}`,
  realm: 'r_1',
  player: number,
  account: `a${number % players}`,
  name: `A${number % players}`,
  kind: number % 2 === 0 ? 'human' : 'agent',
  mode: number % 11 === 0 ? 'cup' : 'open',
  event: number % 500 === 3 ? today : null,
  cause: 'a rat',
  depth: 1,
  turn: (number * 31) % 7,
  gold: 0,
  kills: 0,
  score: (number * 7919) % 5003,
  has_won: 0,
  frame: 'plain',
  credits: 0,
  at: (number * 13) % 1000,
  hash: '00'.repeat(32),
  commands: 1,
  unsettled_since: null,
})

/** The expected ranking, computed by comparing all lives in memory. */
function rank(isMeant: (life: LifeTable) => boolean, limit: number): string[] {
  const best = new Map<string, LifeTable>()
  const ranked = stored
    .filter((life) => life.mode !== 'cup' && isMeant(life))
    .toSorted((a, b) => b.score - a.score || a.turn - b.turn || a.at - b.at || (a.id < b.id ? -1 : 1))
  for (const life of ranked) if (!best.has(life.account)) best.set(life.account, life)
  return [...best.values()].slice(0, limit).map(({ id }) => id)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'farthing-boards-'))
  db = await openGameDatabase(join(folder, 'game.db'))
  const realm = { id: 'r_1', mode: 'open', event: null, seed: '', rules: 1, opened_at: 0, closed_at: 1 } as const
  await db
    .insertInto('realm')
    .values({ ...realm, frozen_at: null, owner: null, fence: 0 })
    .execute()
  stored = Array.from({ length: players * livesOfEach }, (_, number) => toLife(number))
  for (let from = 0; from < stored.length; from += 1000)
    await db
      .insertInto('life')
      .values(stored.slice(from, from + 1000))
      .execute()
})
afterAll(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

it('ranks the best life of each player, over all time, since a moment and of a day', async () => {
  const lives = makeLives(db)
  const ids = async (board: Parameters<typeof lives.best>[0]) => (await lives.best(board)).map(({ id }) => id)
  expect(await ids({ kind: 'human', limit: 100 })).toEqual(rank(({ kind }) => kind === 'human', 100))
  expect(await ids({ kind: 'agent', since: 900, limit: 20 })).toEqual(
    rank(({ kind, at }) => kind === 'agent' && at >= 900, 20),
  )
  // Fewer players than the board has room for.
  expect(await ids({ kind: 'agent', event: today, limit: 100 })).toEqual(
    rank(({ kind, event }) => kind === 'agent' && event === today, 100),
  )
  expect(await ids({ kind: 'human', event: 'no such day', limit: 100 })).toEqual([])
})

it('ranks quickly, however many lives strangers have ended', async () => {
  const lives = makeLives(db)
  const boards = [{}, { since: 990 }, { event: today }, { event: 'no such day' }].map((board) => ({
    ...board,
    limit: 20,
  }))
  await lives.best({ kind: 'human', limit: 20 })
  const from = process.cpuUsage()
  for (const board of boards) for (const kind of ['human', 'agent'] as const) await lives.best({ ...board, kind })
  // Comparing all lives with each other would take seconds.
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(800)
})

it('ranks quickly where a few players have ended all lives and the board has room for more', async () => {
  const event = '2026-11-28'
  const ended = Array.from({ length: 40_000 }, (_, number) => ({
    ...toLife(stored.length + number),
    ...{ account: `a${number % 2}`, kind: 'agent' as const, mode: 'daily' as const, score: 0, event },
  }))
  for (let from = 0; from < ended.length; from += 1000)
    await db
      .insertInto('life')
      .values(ended.slice(from, from + 1000))
      .execute()
  const from = process.cpuUsage()
  const best = await makeLives(db).best({ kind: 'agent', event, limit: 20 })
  expect(best).toHaveLength(2)
  // Looking at every life again for each player would take seconds.
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(800)
})
