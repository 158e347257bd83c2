import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { replay } from '../../game-server/core/replay.ts'
import { rules } from '../../game-server/core/world.ts'
import { makeCups } from '../../game-server/cup/cups.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import type { Realm } from '../../game-server/realms/realm.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { isPostgres } from '../../src/storage/transact.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openSocket } from '../support/socket-client.ts'
import { openTestGame } from '../support/test-databases.ts'

let folder: string
let gameHost: RunningGameHost

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undercroft-'))
  gameHost = await startGameHost({ folder })
})
afterEach(async () => {
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

async function enter(name: string, mode: 'open' | 'daily'): Promise<{ token: string; realm: Realm }> {
  const joined = await gameHost.dungeon.join({ name, kind: 'agent', mode })
  if (joined.is === 'refused') throw new Error(joined.message)
  const realm = gameHost.game.findByName(name)?.realm
  if (!realm) throw new Error(`${name} does not play`)
  return { token: joined.token, realm }
}

/** Stops the game host, and leaves on disk what a crash would have left, with further damage. */
async function crash(damage: (db: RunningGameHost['db']) => Promise<unknown>): Promise<void> {
  await gameHost.stop()
  const db = await openTestGame(folder)
  await db.updateTable('realm').set({ frozen_at: null }).where('closed_at', 'is', null).execute()
  await damage(db)
  await db.destroy()
}

const reopen = async (): Promise<void> => {
  gameHost = await startGameHost({ folder })
}

it('starts with a world that cannot be read, and serves the players of all others', async () => {
  const [ada, bo] = [await enter('Ada', 'open'), await enter('Bo', 'daily')]
  await crash(async (db) => {
    await db.deleteFrom('snapshot').where('realm', '=', ada.realm.id).execute()
    await db.updateTable('input_log').set({ commands: '[{' }).where('realm', '=', ada.realm.id).execute()
  })
  await reopen()
  expect(gameHost.noted.join('\n')).toContain(`realm.unreadable {"realm":"${ada.realm.id}"`)
  expect(await gameHost.dungeon.join({ name: 'Bo', kind: 'agent', token: bo.token })).toMatchObject({ isResumed: true })
})

it('replays a world from its log when its snapshot cannot be read', async () => {
  const { token, realm } = await enter('Ada', 'open')
  for (const key of ['o', 'o', '.', 'o']) await gameHost.dungeon.act(token, key)
  await crash((db) =>
    db
      .updateTable('snapshot')
      .set({ state: new Uint8Array([1, 2, 3]) })
      .execute(),
  )
  await reopen()
  const [again] = [...gameHost.game.realms()]
  if (!again) throw new Error('nothing was taken in')
  expect(again.id).toBe(realm.id)
  const { world } = replay(realm.seed, await readCommands(gameHost.db, realm.id), rules)
  expect(hashWorld(again.world)).toBe(hashWorld(world))
  expect(world.players.get(1)?.turn).toBe(realm.world.players.get(1)?.turn)
  expect(gameHost.noted.join()).toContain(realm.id)
})

it('leaves worlds of newer rules to the version that supports them', async () => {
  const { realm } = await enter('Ada', 'open')
  await crash((db) => db.updateTable('realm').set({ rules: 1_000_000 }).execute())
  await reopen()
  expect([...gameHost.game.realms()]).toEqual([])
  const rows = await gameHost.db.selectFrom('realm').select(['id', 'closed_at']).execute()
  expect(rows).toEqual([{ id: realm.id, closed_at: null }])
  expect(await gameHost.db.selectFrom('snapshot').select('realm').execute()).toEqual([{ realm: realm.id }])
})

it('says that the daily dungeon has newer rules, and begins no life in it that it could not continue', async () => {
  const day = new Date().toISOString().slice(0, 10)
  await gameHost.db
    .insertInto('daily')
    .values({ day, seed: 'ab'.repeat(32), rules: 1_000_000 })
    .execute()
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  expect(joined).toMatchObject({ is: 'refused', code: 'no_entry', message: expect.stringContaining('newer version') })
  expect(await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })).toMatchObject({ is: 'seen', name: 'Ada' })
})

it('refuses to join a cup of newer rules, and says that the entry stays valid', async () => {
  await gameHost.stop()
  const cups: CupAccess = {
    enter: (owner) => makeCups({ db: gameHost.ledger, now: Date.now }).enter(owner),
    isRevealed: async () => false,
  }
  gameHost = await startGameHost({ folder, cups })
  await openCup(gameHost.ledger, { hours: 1, now: Date.now() })
  await gameHost.ledger.updateTable('cup').set({ rules: 1_000_000 }).execute()
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'cup' })
  expect(joined).toEqual({
    is: 'refused',
    code: 'cup_closed',
    message: 'this cup needs a newer version of the game than this host has; entries stay valid, so try again later',
  })
  expect(await gameHost.ledger.selectFrom('cup_run').selectAll().execute()).toEqual([])
})

it('writes events of all other worlds while the database refuses those of one', async () => {
  const [ada, bo] = [await enter('Ada', 'open'), await enter('Bo', 'daily')]
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  const log = async ({ id }: Realm) =>
    (await readCommands(gameHost.db, id)).flatMap((command) => (command.is === 'key' ? [command.key] : []))
  // Another writer has already stored the next commands.
  const strange = { realm: ada.realm.id, first: ada.realm.commands, count: 1, commands: '[]' }
  await gameHost.db.insertInto('input_log').values(strange).execute()
  for (const { token } of [ada, bo]) for (const key of ['.', 'S']) await gameHost.dungeon.act(token, key)
  await expect.poll(() => log(bo.realm)).toEqual(['.', 'S'])
  await gameHost.dungeon.act(ada.token, 'east')
  await gameHost.dungeon.act(bo.token, 'west')
  await expect.poll(() => log(bo.realm)).toEqual(['.', 'S', 'west'])
  expect(gameHost.noted.join()).toContain(ada.realm.id)
  await gameHost.db.deleteFrom('input_log').where('commands', '=', '[]').execute()
  await expect.poll(() => log(ada.realm)).toEqual(['.', 'S', 'east'])
  expect(gameHost.game.lag()).toBe(0)
})

it('freezes all other worlds and ends cups while the database refuses one world', async () => {
  await gameHost.stop()
  let at = Date.now()
  gameHost = await startGameHost({ folder, now: () => at })
  const [ada, bo] = [await enter('Ada', 'open'), await enter('Bo', 'daily')]
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  const strange = { realm: ada.realm.id, first: ada.realm.commands, count: 1, commands: '[]' }
  await gameHost.db.insertInto('input_log').values(strange).execute()
  for (const { token } of [ada, bo]) await gameHost.dungeon.act(token, '.')
  expect(await gameHost.game.endCup('cup-9')).toBe(true)
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect([...gameHost.game.realms()]).toEqual([ada.realm])
  const resting = await gameHost.db.selectFrom('realm').select('id').where('frozen_at', 'is not', null).execute()
  expect(resting).toEqual([{ id: bo.realm.id }])
  await gameHost.db.deleteFrom('input_log').where('commands', '=', '[]').execute()
  await gameHost.game.tidy()
  expect([[...gameHost.game.realms()], gameHost.game.lag()]).toEqual([[], 0])
})

it('freezes all other worlds while the database refuses the state of one', async () => {
  await gameHost.stop()
  let at = Date.now()
  gameHost = await startGameHost({ folder, now: () => at })
  const [ada, bo] = [await enter('Ada', 'open'), await enter('Bo', 'daily')]
  await expect.poll(() => gameHost.game.lag()).toBe(0)
  const check = sql`check (id <> ${sql.lit(ada.realm.id)} or frozen_at is null)`
  const allow = isPostgres(gameHost.db) ? sql`alter table realm drop constraint awake` : sql`drop trigger awake`
  const refuse = isPostgres(gameHost.db)
    ? sql`alter table realm add constraint awake ${check}`
    : sql`create trigger awake before update on realm when new.id = ${sql.lit(ada.realm.id)} and new.frozen_at is not null begin select raise(abort, 'no'); end`
  await refuse.execute(gameHost.db)
  at += 11 * 60_000
  await gameHost.game.tidy()
  expect([...gameHost.game.realms()]).toEqual([ada.realm])
  const resting = await gameHost.db.selectFrom('realm').select('id').where('frozen_at', 'is not', null).execute()
  expect(resting).toEqual([{ id: bo.realm.id }])
  await allow.execute(gameHost.db)
})

it('says why nobody can join even when the name that was given out cannot be taken back', async () => {
  const refusal = isPostgres(gameHost.ledger)
    ? sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''disk full''; end'`
    : sql`create trigger refusal before delete on player begin select raise(abort, 'disk full'); end`
  await refusal.execute(gameHost.ledger)
  if (isPostgres(gameHost.ledger))
    await sql`create trigger refusal before delete on player execute function refuse()`.execute(gameHost.ledger)
  expect(await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'cup' })).toMatchObject({ code: 'cup_closed' })
  expect(gameHost.noted.join()).toContain('disk full')
})

it('reports over a socket that joining failed on the server, and accepts a join over the same socket afterwards', async () => {
  const allow = await refuseWrites(gameHost.db, 'insert', 'daily')
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Ada', mode: 'daily' })
  expect(await client.next('error')).toMatchObject({ code: 'server_full', retryAfterMs: expect.any(Number) })
  expect(gameHost.noted.join()).toContain('disk full')
  await allow()
  client.send({ type: 'join', name: 'Ada', mode: 'daily' })
  expect(await client.next('welcome')).toMatchObject({ you: { name: 'Ada' }, resumed: false })
  await client.close()
})
