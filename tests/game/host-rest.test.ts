import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { makeLogKeeper } from '../../game-server/realms/log-keeper.ts'
import { makeRealms } from '../../game-server/realms/realms.ts'
import { toDepthRewards } from '../../game-server/sessions/rewards.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { startGameHost } from '../support/game-host.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openSocket } from '../support/socket-client.ts'
import { openTestLedger } from '../support/test-databases.ts'

it('finds the same session, not a second one, when its world could not be frozen while its player came back', async () => {
  const db = await openGameDatabase(':memory:')
  let at = Date.now()
  const now = () => at
  const paid = Promise.withResolvers<void>()
  const keeper = makeLogKeeper({ db, log: () => {}, now, pay: () => paid.promise })
  const realms = makeRealms({ db, keeper, now, log: () => {}, inputLimits: { perSecond: 20, burst: 40 } })
  const session = realms.begin({ key: 'ada', name: 'Ada', kind: 'human' }, { mode: 'open', event: null })
  session.isHere = false
  session.realm.unwritten.rewards.push(...toDepthRewards(session, 1, 2))
  await keeper.flush()
  at += 11 * 60_000
  // The payment of the reward takes time, and then the disk is full.
  const resting = realms.rest()
  const finding = realms.findLife('ada', undefined)
  await new Promise(setImmediate)
  const full = sql`create temp trigger full before update on realm when new.frozen_at is not null begin select raise(abort, 'disk is full'); end`
  await full.execute(db)
  paid.resolve()
  await resting
  expect(await finding).toBe(session)
  expect([...realms.all()]).toEqual([session.realm])
  await sql`drop trigger full`.execute(db)
  expect(await keeper.flush()).toEqual([])
  await db.destroy()
})

it('records the end of a world that comes while the world is being frozen', async () => {
  const db = await openGameDatabase(':memory:')
  let at = Date.now()
  const now = () => at
  const paid = Promise.withResolvers<void>()
  const keeper = makeLogKeeper({
    ...{ db, log: () => {}, now },
    onClosed: (realm) => realms.letGo(realm),
    // The reward that was owed is paid at last.
    pay: () => paid.promise.then(() => realms.closeIfOver(session.realm)),
  })
  const realms = makeRealms({ db, keeper, now, log: () => {}, inputLimits: { perSecond: 20, burst: 40 } })
  const session = realms.begin({ key: 'ada', name: 'Ada', kind: 'human' }, { mode: 'open', event: null })
  session.isOver = true
  session.realm.unwritten.rewards.push(...toDepthRewards(session, 1, 2))
  await keeper.flush()
  at += 11 * 60_000
  const resting = realms.rest()
  paid.resolve()
  await resting
  await keeper.flush()
  expect([...realms.all()]).toEqual([])
  const rows = await db.selectFrom('realm').select('closed_at').execute()
  expect(rows).toEqual([{ closed_at: at }])
  expect(await db.selectFrom('snapshot').select('realm').execute()).toEqual([])
  await db.destroy()
})

it('leads a player back to a life of yesterday when the host is restarted at midnight', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'undercroft-'))
  let at = Date.UTC(2026, 10, 27, 23, 58)
  const open = () => startGameHost({ folder, now: () => at })
  let gameHost = await open()
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily' })
  if (joined.is === 'refused') throw new Error(joined.message)
  await gameHost.dungeon.act(joined.token, '.')
  await gameHost.stop()
  at += 4 * 60_000
  gameHost = await open()
  const back = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily', token: joined.token })
  expect(back).toMatchObject({ is: 'seen', isResumed: true, observation: { turn: 1 } })
  expect([...gameHost.game.realms()]).toMatchObject([{ event: '2026-11-27' }])
  // A player who stays away until the world is idle begins the dungeon of today.
  await gameHost.stop()
  at += 11 * 60_000
  gameHost = await open()
  const later = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily', token: joined.token })
  expect(later).toMatchObject({ is: 'seen', isResumed: false })
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

it.each(['line breaks', 'host is restarted'])(
  'leads an idle player back to a life of yesterday when the %s after midnight',
  async (what) => {
    const folder = mkdtempSync(join(tmpdir(), 'undercroft-'))
    let at = Date.UTC(2026, 10, 27, 23, 50)
    const open = () => startGameHost({ folder, now: () => at })
    let gameHost = await open()
    const client = await openSocket(gameHost.wsUrl)
    client.send({ type: 'join', name: 'Ada', kind: 'agent', mode: 'daily' })
    const { resumeToken } = await client.next('welcome')
    at += 20 * 60_000
    if (what === 'line breaks') {
      gameHost.sockets.drop('ada')
      await expect.poll(() => gameHost.game.findByName('ada')?.isHere).toBe(false)
      await gameHost.game.tidy()
    } else {
      await gameHost.stop()
      gameHost = await open()
    }
    at += 60_000
    const token = String(resumeToken)
    const back = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', mode: 'daily', token })
    expect(back).toMatchObject({ is: 'seen', isResumed: true })
    expect([...gameHost.game.realms()]).toMatchObject([{ event: '2026-11-27' }])
    await gameHost.stop()
    rmSync(folder, { recursive: true })
  },
)

it('does not end a world with a reward still owed to one player because another one came back to it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'undercroft-'))
  let at = Date.now()
  const open = () => startGameHost({ folder, now: () => at })
  let gameHost = await open()
  const enter = async (name: string, token?: string) => {
    const joined = await gameHost.dungeon.join({ name, kind: 'agent', ...(token !== undefined && { token }) })
    const session = gameHost.game.findByName(name)
    if (joined.is === 'refused' || !session) throw new Error(`${name} does not play`)
    return { token: joined.token, session }
  }
  const [ada, bo] = [await enter('Ada'), await enter('Bo')]
  expect(ada.session.realm).toBe(bo.session.realm)
  const ledger = await openTestLedger(folder)
  const allow = await refuseWrites(ledger, 'insert', 'credit_entry')
  const body = ada.session.realm.world.players.get(ada.session.player)
  if (body) body.deepest = 2
  await gameHost.dungeon.act(ada.token, '.')
  for (const who of ['Ada', 'Bo']) {
    if (who === 'Bo') {
      at += 11 * 60_000
      await gameHost.game.tidy()
    }
    const { session, token } = who === 'Ada' ? ada : await enter('Bo', bo.token)
    session.limits = { keys: 0, at: 0 }
    await gameHost.dungeon.act(token, '.')
    await session.death
  }
  await gameHost.stop()
  await allow()
  await ledger.destroy()
  gameHost = await open()
  expect(await makeCredits({ db: gameHost.ledger, now: Date.now }).balance('ada')).toBe(2)
  expect(await gameHost.db.selectFrom('life').select('unsettled_since').execute()).toEqual([
    { unsettled_since: null },
    { unsettled_since: null },
  ])
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

it('does not load a realm that is given up in the same moment', async () => {
  const db = await openGameDatabase(':memory:')
  let at = Date.now()
  const now = () => at
  const keeper = makeLogKeeper({ db, log: () => {}, now, pay: async () => {} })
  const open = () => makeRealms({ db, keeper, now, log: () => {}, inputLimits: { perSecond: 20, burst: 40 } })
  const before = open()
  before.begin({ key: 'ada', name: 'Ada', kind: 'human' }, { mode: 'open', event: null })
  await before.restAll()
  at += 31 * 24 * 3_600_000
  const realms = open()
  const [found] = await Promise.all([realms.findLife('ada'), realms.rest()])
  const { closed_at } = await db.selectFrom('realm').select('closed_at').executeTakeFirstOrThrow()
  expect([found, closed_at, [...realms.all()]]).toEqual([undefined, at, []])
  await db.destroy()
})
