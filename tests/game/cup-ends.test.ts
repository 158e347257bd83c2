import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { setTurns } from '../../game-server/core/status.ts'
import { closeCup } from '../../game-server/cup/close-cup.ts'
import { makeCupRecords } from '../../game-server/cup/cup-records.ts'
import { makeCups } from '../../game-server/cup/cups.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { runCups } from '../../game-server/cup/run-cups.ts'
import type { Session } from '../../game-server/realms/realm.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { transact } from '../../src/storage/transact.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { openTestGame, openTestLedger } from '../support/test-databases.ts'

let folder: string
let gameHost: RunningGameHost
let at: number
const now = () => at

/** What happens while a player is being admitted to the cup. */
let meanwhile: () => Promise<unknown>

async function open(): Promise<void> {
  const door = (): CupAccess => makeCups({ db: gameHost.ledger, now })
  const cups: CupAccess = {
    async enter(owner) {
      const entered = await door().enter(owner)
      const happens = meanwhile
      meanwhile = async () => {}
      await happens()
      return entered
    },
    isRevealed: (cup) => door().isRevealed(cup),
  }
  gameHost = await startGameHost({ folder, now, cups })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undercroft-'))
  at = Date.now()
  meanwhile = async () => {}
  await open()
})
afterEach(async () => {
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

/** Buys an entry and returns the player's token. */
async function buyEntry(name: string, cup = 'cup-1'): Promise<string> {
  const joined = await makeAccounts({ db: gameHost.ledger, now }).join({ name, kind: 'agent' })
  if (joined.is !== 'joined') throw new Error(joined.is)
  await giveEntry(name, cup)
  return joined.token
}

const giveEntry = (name: string, scope: string): Promise<void> =>
  transact(gameHost.ledger, (tx) =>
    grantEntitlements(
      tx,
      { key: name.toLowerCase(), entitlements: ['agent_cup_entry'], scope, source: 'purchase' },
      now(),
    ),
  )

const enter = (name: string, token: string) => gameHost.dungeon.join({ name, kind: 'agent', mode: 'cup', token })

async function run(name: string, token: string): Promise<Session> {
  const joined = await enter(name, token)
  if (joined.is === 'refused') throw new Error(joined.message)
  const session = gameHost.game.findByName(name)
  if (!session) throw new Error(`${name} does not play`)
  return session
}

/** Wounds a player so that the next turn is their last. */
function wound({ realm, player }: Session): void {
  const body = realm.world.players.get(player)
  if (!body) throw new Error('nobody is there')
  body.hp = 1
  setTurns(body, 'poisoned', 50)
}

it('ends a run once whose last key arrives at the very moment at which its cup ends', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const session = await run('Ada', await buyEntry('Ada'))
  wound(session)
  const answers: unknown[] = []
  let isOver = false
  let isAsked = false
  // Whoever reads isOver is overtaken by the key that ends the run.
  Object.defineProperty(session, 'isOver', {
    get() {
      if (!isAsked) queueMicrotask(() => void answers.push(gameHost.game.press(session, '.')))
      isAsked = true
      return isOver
    },
    set(is: boolean) {
      isOver = is
    },
  })
  at += 3_600_000 - 1
  expect(await gameHost.game.endCup('cup-1')).toBe(true)
  expect(answers).toEqual([{ is: 'pressed' }])
  const lives = await gameHost.db.selectFrom('life').select(['name', 'cause']).execute()
  expect(lives).toEqual([{ name: 'Ada', cause: expect.not.stringContaining('ran out of time') }])
  expect(gameHost.game.press(session, '.')).toMatchObject({ is: 'refused', code: 'dead' })
  expect(gameHost.noted).toEqual([])
})

it('lets a run use its last key and its last millisecond, and no more', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const [ada, bo] = [await run('Ada', await buyEntry('Ada')), await run('Bo', await buyEntry('Bo'))]
  const press = (session: Session) => gameHost.game.press(session, '.').is
  ada.limits = { keys: 2, at: at + 1000 }
  expect([press(ada), press(ada), press(ada)]).toEqual(['pressed', 'pressed', 'refused'])
  bo.limits = { keys: 1500, at: at + 1000 }
  at += 999
  expect(press(bo)).toBe('pressed')
  at += 1
  expect(press(bo)).toBe('refused')
  expect(await Promise.all([ada.death, bo.death])).toMatchObject([
    { cause: 'ran out of time' },
    { cause: 'ran out of time' },
  ])
})

it('ranks the run that ended first above another one with the same result', async () => {
  const { ledger, db, game } = gameHost
  await openCup(ledger, { hours: 1, now: at })
  const [later, earlier] = [await run('Bo', await buyEntry('Bo')), await run('Ada', await buyEntry('Ada'))]
  for (const session of [earlier, later]) {
    at += 1000
    session.limits = { keys: 0, at }
    expect(game.press(session, '.')).toMatchObject({ code: 'dead' })
    await session.death
  }
  await closeCup({ db: ledger, gameDb: db, now, report: (error) => gameHost.noted.push(String(error)) }, 1)
  const report = await makeCupRecords({ db: ledger, gameDb: db, now }).find('cup-1')
  expect(report?.standings?.map(({ place, name }) => [place, name])).toEqual([
    [1, 'Ada'],
    [2, 'Bo'],
  ])
  expect(gameHost.noted).toEqual([])
})

it.each(['its time is over', 'the operator closes it'])(
  'begins no run that would never be ended when a player joins at the moment at which %s',
  async (why) => {
    await openCup(gameHost.ledger, { hours: 1, now: at })
    const token = await buyEntry('Ada')
    meanwhile = async () => {
      if (why === 'its time is over') at += 3_600_000
      else await gameHost.ledger.updateTable('cup').set({ closes_at: at }).execute()
      await gameHost.game.endCup('cup-1')
    }
    expect(await enter('Ada', token)).toMatchObject({ is: 'refused', code: 'cup_closed' })
    expect(await gameHost.db.selectFrom('seat').selectAll().execute()).toEqual([])
  },
)

it('also ends a run that has begun but is not on disk yet when its cup ends', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const token = await buyEntry('Ada')
  let ended: Promise<boolean> | undefined
  const endOnceItBegan = async () => {
    for (let tries = 0; tries < 1000 && !gameHost.game.findByName('ada'); tries++) await Promise.resolve()
    ended = gameHost.game.endCup('cup-1')
  }
  // The access check is called twice per join; the second call is the one to interrupt.
  meanwhile = async () => {
    meanwhile = async () => void endOnceItBegan()
  }
  expect(await enter('Ada', token)).toMatchObject({ is: 'seen' })
  const session = gameHost.game.findByName('ada')
  expect(await ended).toBe(true)
  expect(session?.isOver).toBe(true)
})

it('does not let the entry for the next cup continue a run of a cup that was closed while the host was down', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const token = await buyEntry('Ada')
  await run('Ada', token)
  await gameHost.stop()
  at += 3_600_000
  await open()
  await gameHost.ledger.updateTable('cup').set({ state: 'closed', closed_at: at }).execute()
  await openCup(gameHost.ledger, { hours: 1, now: at })
  await giveEntry('Ada', 'cup-2')
  const old = await gameHost.game.findSession(token)
  if (old.is !== 'found') throw new Error(old.is)
  expect(old.session).toMatchObject({ realm: { event: 'cup-1' } })
  expect(gameHost.game.press(old.session, '.')).toMatchObject({ is: 'refused', code: 'dead' })
  await old.session.death
  expect(await enter('Ada', token)).toMatchObject({ is: 'seen', isResumed: false })
  expect(gameHost.game.findByName('ada')?.realm.event).toBe('cup-2')
})

it('begins the run of the new cup for a player whose run of an older cup was never ended, and ends the older one', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const token = await buyEntry('Ada')
  await run('Ada', token)
  at += 3_600_000
  await gameHost.ledger.updateTable('cup').set({ state: 'closed', closed_at: at }).execute()
  await openCup(gameHost.ledger, { hours: 1, now: at })
  await giveEntry('Ada', 'cup-2')
  const session = await run('Ada', token)
  expect(session.realm.event).toBe('cup-2')
  expect(await gameHost.game.endCup('cup-1')).toBe(true)
  expect(await gameHost.db.selectFrom('life').select(['event', 'cause']).execute()).toEqual([
    { event: 'cup-1', cause: 'ran out of time' },
  ])
  expect(session.isOver).toBe(false)
})

const entriesOf = async (name: string): Promise<object[]> =>
  gameHost.ledger
    .selectFrom('entitlement')
    .select(['scope', 'source'])
    .where('player_key', '=', name.toLowerCase())
    .where('entitlement', '=', 'agent_cup_entry')
    .orderBy('scope')
    .execute()

/** Stops the host, makes the log of the run unreadable, and starts the host again. */
async function damageRunOf({ realm: { id } }: Session, commands = '[{'): Promise<void> {
  await gameHost.stop()
  const db = await openTestGame(folder)
  await db.deleteFrom('snapshot').where('realm', '=', id).execute()
  await db.updateTable('input_log').set({ commands }).where('realm', '=', id).execute()
  await db.destroy()
  await open()
}

const bought = (scope: string) => ({ scope, source: 'purchase' })

it('ends a cup with a run that cannot be read, and gives its player an entry for the next one', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const [ada, bo] = [await buyEntry('Ada'), await buyEntry('Bo')]
  const lost = await run('Ada', ada)
  await run('Bo', bo)
  await gameHost.dungeon.act(bo, '.')
  await damageRunOf(lost)
  expect(await enter('Ada', ada)).toMatchObject({ code: 'life_lost', message: expect.stringContaining('next one') })
  // A player who has seen this dungeon gets no second run in it.
  expect(await enter('Ada', ada)).toMatchObject({ code: 'no_entry', message: expect.stringContaining('next one') })
  at += 3_600_000
  const { ledger: db, db: gameDb, game } = gameHost
  const noted: string[] = []
  const running = runCups({ db, gameDb, game, now, log: (_, fields) => void noted.push(JSON.stringify(fields)) })
  const find = () => makeCupRecords({ db, gameDb, now }).find('cup-1')
  await expect.poll(find).toMatchObject({
    state: 'over',
    standings: [{ place: 1, name: 'Bo' }],
    refused: [{ name: 'Ada', refusal: expect.stringContaining('no fault of the player') }],
  })
  await running.stop()
  expect(noted).toEqual([expect.stringContaining(lost.realm.id)])
  expect(await entriesOf('Ada')).toEqual([bought('cup-1'), bought('cup-2')])
  expect(await entriesOf('Bo')).toEqual([bought('cup-1')])
  await openCup(db, { hours: 1, now: at })
  expect(await enter('Ada', ada)).toMatchObject({ is: 'seen', isResumed: false })
})

it('refuses no run whose log was damaged afterwards or is too short, and gives one entry for it, however often the cup is closed', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const [ada, bo] = [await buyEntry('Ada'), await buyEntry('Bo')]
  // Bo has an entry for the next cup already.
  await giveEntry('Bo', 'cup-2')
  const [ended, short] = [await run('Ada', ada), await run('Bo', bo)]
  at += 3_600_000
  expect(await gameHost.game.endCup('cup-1')).toBe(true)
  await damageRunOf(ended)
  await gameHost.db.updateTable('life').set({ commands: 1000 }).where('realm', '=', short.realm.id).execute()
  const reports: string[] = []
  const close = () =>
    closeCup({ db: gameHost.ledger, gameDb: gameHost.db, now, report: (error) => void reports.push(String(error)) }, 1)
  await Promise.all([close(), close()])
  expect(await entriesOf('Ada')).toEqual([bought('cup-1'), bought('cup-2')])
  expect(await entriesOf('Bo')).toEqual([bought('cup-1'), bought('cup-2'), bought('cup-3')])
  expect(new Set(reports)).toEqual(
    new Set([expect.stringContaining('Ada'), expect.stringMatching(/Bo.*ends after \d of 1000/)]),
  )
})

it('refuses no run whose log is missing or shorter than its snapshot, even if no host has opened its world before', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const [gone, short] = [await run('Ada', await buyEntry('Ada')), await run('Bo', await buyEntry('Bo'))]
  await gameHost.stop()
  const gameDb = await openTestGame(folder)
  const ledger = await openTestLedger(folder)
  for (const table of ['input_log', 'snapshot'] as const)
    await gameDb.deleteFrom(table).where('realm', '=', gone.realm.id).execute()
  await gameDb.updateTable('snapshot').set({ commands: 99 }).where('realm', '=', short.realm.id).execute()
  const reports: string[] = []
  await closeCup({ db: ledger, gameDb, now, report: (error) => void reports.push(String(error)) }, 1)
  await gameDb.destroy()
  await ledger.destroy()
  await open()
  expect(new Set(reports)).toEqual(
    new Set([expect.stringContaining(gone.realm.id), expect.stringContaining(short.realm.id)]),
  )
  expect(await entriesOf('Ada')).toEqual([bought('cup-1'), bought('cup-2')])
  expect(await entriesOf('Bo')).toEqual([bought('cup-1'), bought('cup-2')])
})
