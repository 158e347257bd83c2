import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeGameMetrics } from '../../game-server/host/game-metrics.ts'
import type { Mode } from '../../game-server/protocol/dungeon.ts'
import type { Realm } from '../../game-server/realms/realm.ts'
import { readReplay } from '../../game-server/sessions/read-replay.ts'
import type { InputLogTable } from '../../game-server/storage/game-schema.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
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

const joinAs = (name: string, token?: string, mode?: Mode) =>
  gameHost.dungeon.join({ name, kind: 'agent', mode, ...(token !== undefined && { token }) })

async function enter(name: string, mode?: Mode): Promise<{ token: string; realm: Realm }> {
  const joined = await joinAs(name, undefined, mode)
  if (joined.is === 'refused') throw new Error(joined.message)
  await gameHost.dungeon.act(joined.token, '.')
  const realm = gameHost.game.findByName(name)?.realm
  if (!realm) throw new Error(`${name} does not play`)
  return { token: joined.token, realm }
}

/** Restarts the host, and changes its database while it is stopped. */
async function restart(happens: (db: RunningGameHost['db']) => Promise<unknown> = async () => {}): Promise<void> {
  await gameHost.stop()
  const db = await openTestGame(folder)
  await happens(db)
  await db.destroy()
  gameHost = await startGameHost({ folder })
}

/** Makes the log and the snapshot of a realm unreadable. */
const damage =
  ({ id }: Realm) =>
  async (db: RunningGameHost['db']) => {
    await db.updateTable('input_log').set({ commands: '[{' }).where('realm', '=', id).execute()
    await db
      .updateTable('snapshot')
      .set({ state: new Uint8Array([1, 2, 3]) })
      .where('realm', '=', id)
      .execute()
  }
const readLog = ({ id }: Realm, db = gameHost.db): Promise<InputLogTable[]> =>
  db.selectFrom('input_log').selectAll().where('realm', '=', id).orderBy('first').execute()
const repair = (rows: readonly InputLogTable[]) => async (db: RunningGameHost['db']) => {
  for (const { realm, first, commands } of rows)
    await db.updateTable('input_log').set({ commands }).where('realm', '=', realm).where('first', '=', first).execute()
}

async function countUnreadable(): Promise<number | undefined> {
  const { game, db } = gameHost
  const metrics = makeGameMetrics({ game, db, sockets: () => 0, underWay: () => 0 })
  const [line] = (await metrics.find(({ name }) => name === 'farthing_game_unreadable_realms')?.read()) ?? []
  return line?.value
}

it('tells a player of a world that cannot be read what happened, once, and gives them a new life', async () => {
  const { token, realm } = await enter('Ada')
  expect(await countUnreadable()).toBe(0)
  await restart(damage(realm))
  const told = await joinAs('Ada', token)
  expect(told).toMatchObject({ is: 'refused', code: 'life_lost', message: expect.stringContaining('begin a new life') })
  expect(await joinAs('Ada', token)).toMatchObject({ is: 'seen', isResumed: false, name: 'Ada', token })
  expect(gameHost.game.findByName('ada')?.realm.id).not.toBe(realm.id)
  expect(await gameHost.dungeon.act(token, '.')).toMatchObject({ is: 'seen', observation: { turn: 1 } })
  // The old life is not looked for again, now or later, and nothing of it is deleted.
  await restart()
  expect(await joinAs('Ada', token)).toMatchObject({ is: 'seen', isResumed: true, observation: { turn: 1 } })
  expect(await readLog(realm)).not.toEqual([])
  const kept = await gameHost.db.selectFrom('snapshot').select('realm').where('realm', '=', realm.id).execute()
  expect(kept).toHaveLength(1)
})

it('logs which world was set aside, whose it was and why, and counts it', async () => {
  const { token, realm } = await enter('Ada')
  await restart(damage(realm))
  await joinAs('Ada', token)
  const [line = '', ...more] = gameHost.noted.filter((note) => note.startsWith('realm.unreadable'))
  expect(more).toEqual([])
  expect(JSON.parse(line.slice('realm.unreadable '.length))).toMatchObject({
    ...{ realm: realm.id, mode: 'open', event: null, players: ['Ada'] },
    error: expect.stringContaining(realm.id),
  })
  expect(await countUnreadable()).toBe(1)
})

it('also tells it to a player who only presses a key, and over a socket', async () => {
  const [ada, bo] = [await enter('Ada'), await enter('Bo', 'daily')]
  await restart(async (db) => {
    await damage(ada.realm)(db)
    await damage(bo.realm)(db)
  })
  expect(await gameHost.dungeon.act(ada.token, '.')).toMatchObject({ is: 'refused', code: 'life_lost' })
  expect(await gameHost.dungeon.look(ada.token)).toMatchObject({ is: 'refused', code: 'not_joined' })
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Bo', kind: 'agent', resumeToken: bo.token })
  expect(await client.next('error')).toMatchObject({ code: 'life_lost' })
  client.send({ type: 'join', name: 'Bo', kind: 'agent', resumeToken: bo.token })
  expect(await client.next('welcome')).toMatchObject({ resumed: false, resumeToken: bo.token, mode: 'open' })
  await client.close()
})

it('begins no second life in the daily dungeon for one that cannot be read, because its dungeon is known by then', async () => {
  const { token, realm } = await enter('Ada', 'daily')
  await restart(damage(realm))
  expect(await joinAs('Ada', token, 'daily')).toMatchObject({
    code: 'life_lost',
    // On the day after they may be told, when there is no need to wait any more.
    message: expect.stringMatching(/with mode open, or join tomorrow’s daily dungeon$/),
  })
  expect(await joinAs('Ada', token, 'daily')).toMatchObject({ code: 'no_entry' })
  expect(await joinAs('Ada', token)).toMatchObject({ is: 'seen', isResumed: false })
})

it('resumes a life that was set aside once its log is whole again', async () => {
  const { token, realm } = await enter('Ada')
  await gameHost.stop()
  const db = await openTestGame(folder)
  const rows = await readLog(realm, db)
  await damage(realm)(db)
  await db.destroy()
  gameHost = await startGameHost({ folder })
  expect(await joinAs('Ada', token)).toMatchObject({ code: 'life_lost' })
  await restart(repair(rows))
  expect(await countUnreadable()).toBe(0)
  expect(await joinAs('Ada', token)).toMatchObject({ is: 'seen', isResumed: true, observation: { turn: 1 } })
  expect(gameHost.game.findByName('ada')?.realm.id).toBe(realm.id)
})

it('tells the player again when a resumed life is lost once more', async () => {
  const { token, realm } = await enter('Ada')
  let rows: readonly InputLogTable[] = []
  await restart(async (db) => {
    rows = await readLog(realm, db)
    await damage(realm)(db)
  })
  expect(await joinAs('Ada', token)).toMatchObject({ code: 'life_lost' })
  await restart(repair(rows))
  expect(await joinAs('Ada', token)).toMatchObject({ is: 'seen', isResumed: true })
  await restart(damage(realm))
  expect(await joinAs('Ada', token)).toMatchObject({ code: 'life_lost' })
})

it('does not reveal the seed of a world that was set aside, which may be resumed', async () => {
  const [ada, bo] = [await enter('Ada'), await enter('Bo')]
  expect(ada.realm).toBe(bo.realm)
  const session = gameHost.game.findByName('ada')
  if (session) session.limits = { keys: 0, at: 0 }
  await gameHost.dungeon.act(ada.token, '.')
  const death = await session?.death
  const read = async () =>
    readReplay({ db: gameHost.db, cups: { isRevealed: async () => false }, now: Date.now }, death?.id ?? '')
  expect(await read()).toBe('secret')
  await restart(damage(bo.realm))
  expect(await joinAs('Bo', bo.token)).toMatchObject({ code: 'life_lost' })
  expect(await read()).toBe('secret')
})

it('sets a world aside whose log ends before a player joined, and keeps no part of it in memory', async () => {
  const { token, realm } = await enter('Ada')
  await restart(async (db) => {
    await db.deleteFrom('snapshot').execute()
    await db.deleteFrom('input_log').where('realm', '=', realm.id).execute()
  })
  expect(await joinAs('Ada', token)).toMatchObject({ code: 'life_lost' })
  expect([...gameHost.game.realms()]).toEqual([])
})

it('sets no life aside while only the database fails', async () => {
  const { token, realm } = await enter('Ada')
  await restart()
  await gameHost.db.schema.alterTable('input_log').renameTo('elsewhere').execute()
  await expect(joinAs('Ada', token)).rejects.toThrow('input_log')
  await gameHost.db.schema.alterTable('elsewhere').renameTo('input_log').execute()
  expect(await joinAs('Ada', token)).toMatchObject({ is: 'seen', isResumed: true, observation: { turn: 1 } })
  expect(gameHost.game.findByName('ada')?.realm.id).toBe(realm.id)
})
