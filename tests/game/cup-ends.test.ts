import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { setTurns } from '../../game-server/core/status.ts'
import { makeCups } from '../../game-server/cup/cups.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import type { Session } from '../../game-server/realms/realm.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { transact } from '../../src/storage/transact.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'

let folder: string
let gameHost: RunningGameHost
let at: number
const now = () => at

async function open(): Promise<void> {
  const door = (): CupAccess => makeCups({ db: gameHost.ledger, now })
  const cups: CupAccess = { enter: (owner) => door().enter(owner), isRevealed: (cup) => door().isRevealed(cup) }
  gameHost = await startGameHost({ folder, now, cups })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undercroft-'))
  at = Date.now()
  await open()
})
afterEach(async () => {
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

/** Somebody who paid for an entry. */
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

/** The next moment is this player's last. */
function wound({ realm, player }: Session): void {
  const body = realm.world.players.get(player)
  if (!body) throw new Error('nobody is there')
  body.hp = 1
  setTurns(body, 'poisoned', 50)
}

it('ends a run once whose last key comes in the very moment in which its cup ends', async () => {
  await openCup(gameHost.ledger, { hours: 1, now: at })
  const session = await run('Ada', await buyEntry('Ada'))
  wound(session)
  const answers: unknown[] = []
  let isOver = false
  let isAsked = false
  // Whoever looks whether the run goes on is overtaken by the key that ends it.
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

it('lets nobody go on in the run of a cup that was closed while the host was away, by the entry of the next one', async () => {
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

it('begins the run of a cup for who has one of an older cup that nobody ended yet, and ends the older one', async () => {
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
