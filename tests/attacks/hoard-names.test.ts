import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLives } from '../../game-server/sessions/lives.ts'
import { possessions } from '../../game-server/sessions/unused-names.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { applyGrants, grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { playToDeath, type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { isOnPostgres } from '../support/test-databases.ts'

const dayMs = 24 * 60 * 60 * 1000
const folder = mkdtempSync(join(tmpdir(), 'farthing-names-'))
let clock = Date.UTC(2026, 0, 1)
let gameHost: RunningGameHost
const open = async () => {
  gameHost = await startGameHost({ folder, now: () => clock, inputLimits: { perSecond: 1e9, burst: 1e9 } })
}
beforeAll(open)
afterAll(async () => {
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

/** Advances the clock day by day while the game host is open and tidies: realms become idle, old ones are deleted. */
async function passDays(days: number): Promise<void> {
  for (const until = clock + days * dayMs; clock < until; ) {
    clock = Math.min(until, clock + dayMs)
    await gameHost.game.tidy()
  }
}
const ask = (name: string, token?: string) => gameHost.dungeon.join({ name, kind: 'agent', token })
async function enter(name: string): Promise<string> {
  const joined = await ask(name)
  if (joined.is === 'refused') throw new Error(joined.message)
  expect(joined.name).toBe(name)
  return joined.token
}
const accounts = () => makeAccounts({ db: gameHost.ledger, now: () => clock })
const ownerOf = async (token: string): Promise<string | undefined> => (await accounts().findByToken(token))?.name
const freed = async (tokens: readonly string[]) =>
  (await Promise.all(tokens.map(ownerOf))).map((name) => name === undefined)

const tokenOf = (joined: object): string => String(Object(joined).token)

describe('a player who takes names and does not play', () => {
  it('keeps them for 30 days; then anybody can take them, and the old token opens nothing', async () => {
    // Squat has registered the name and never entered, so that there is no life of it. Glance has entered and left.
    await accounts().join({ name: 'Squat', kind: 'agent' })
    const entered = await enter('Glance')
    await passDays(29)
    expect(await ask('squat')).toMatchObject({ name: 'squat-2', requested: 'squat' })
    expect(await ownerOf(entered)).toBe('Glance')
    await passDays(2)
    await enter('Squat')
    // A player who did enter can go on with the life until the dungeon has deleted it.
    await passDays(31)
    expect(await ownerOf(entered)).toBeUndefined()
    expect(await ask('Glance', entered)).toMatchObject({ is: 'refused', code: 'wrong_token' })
    expect(await gameHost.dungeon.act(entered, 'o')).toMatchObject({ is: 'refused', code: 'not_joined' })
    await enter('Glance')
  })

  it('does not keep a name by a first life that ended: a year later the name is free, and the record of that life stays', async () => {
    const token = await enter('Fell')
    const session = Object(await gameHost.game.findSession(token)).session
    // The life ends on the first level, so that it has earned nothing.
    session.limits = { keys: 0, at: 0 }
    await gameHost.dungeon.act(token, '.')
    const newest = () => makeLives(gameHost.db).recent(1)
    await expect.poll(newest).toMatchObject([{ name: 'Fell', depth: 1 }])
    const before = await newest()
    await passDays(300)
    expect(await ownerOf(token)).toBe('Fell')
    await passDays(70)
    expect(await ownerOf(token)).toBeUndefined()
    const next = await enter('Fell')
    expect((await makeLives(gameHost.db).recent(5)).filter(({ name }) => name === 'Fell')).toEqual(before)
    await playToDeath(gameHost, next)
    expect((await makeLives(gameHost.db).best({ limit: 100 })).filter(({ name }) => name === 'Fell')).toHaveLength(2)
  })
})

it('frees a name under which 200,000 lives have ended, and the names after it', async () => {
  const names = ['Legion', 'Legion-also']
  const tokens = await Promise.all(names.map(async (name) => tokenOf(await accounts().join({ name, kind: 'agent' }))))
  const realm = { id: 'r_many', mode: 'open', event: null, seed: '', rules: 1, opened_at: 0, closed_at: 1 } as const
  await gameHost.db
    .insertInto('realm')
    .values({ ...realm, frozen_at: null, owner: null, fence: 0 })
    .execute()
  await sql`
    with recursive lived(number) as (select 1 union all select number + 1 from lived where number < 200000)
    insert into seat (realm, player, account, name, kind, joined_at, is_over, paid_depth, credits)
    select 'r_many', number, 'legion', 'Legion', 'agent', 1, 1, 1, 0 from lived`.execute(gameHost.db)
  await passDays(31)
  expect(await freed(tokens)).toEqual([true, true])
})

describe('a player who owns something or plays', () => {
  it('has a row in any of the tables that refer to the players, and the list of them is complete', async () => {
    const referring = isOnPostgres()
      ? sql<{ name: string }>`
          select relname as name from pg_constraint join pg_class on pg_class.oid = conrelid
          where confrelid = 'player'::regclass`
      : sql<{ name: string }>`
          select m.name from sqlite_master as m, pragma_foreign_key_list(m.name) as f
          where m.type = 'table' and f."table" = 'player'`
    const { rows } = await referring.execute(gameHost.ledger)
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...possessions].toSorted())
  })

  it('keeps the name for good, however long it is away', async () => {
    const names = ['Bought', 'Earned', 'Runner', 'Writer', 'Standing', 'Kept', 'Winner']
    const tokens: string[] = []
    for (const name of names) tokens.push(await enter(name))
    const { ledger } = gameHost
    const give = (name: string, source: 'purchase' | 'prize') =>
      ledger
        .transaction()
        .execute((tx) =>
          grantEntitlements(tx, { key: name.toLowerCase(), entitlements: ['supporter'], scope: '', source }, clock),
        )
    await give('Bought', 'purchase')
    await give('Winner', 'prize')
    await makeCredits({ db: ledger, now: () => clock }).earn({
      key: 'earned',
      credits: 2,
      reason: 'depth',
      ref: 'r/1/2',
    })
    const cup = {
      number: 1,
      state: 'closed' as const,
      commitment: 'c',
      seed: 's',
      rules: 1,
      opened_at: 1,
      closes_at: 2,
      closed_at: 2,
      verified_at: 2,
    }
    await ledger.insertInto('cup').values(cup).execute()
    await ledger.insertInto('cup_run').values({ cup: 1, player_key: 'runner', started_at: 1 }).execute()
    await ledger
      .insertInto('wall_shout')
      .values({ player_key: 'writer', day: '2026-01-01', text: 'hi', at: 1 })
      .execute()
    await ledger
      .insertInto('cup_standing')
      .values({
        cup: 1,
        player_key: 'standing',
        name: 'Standing',
        kind: 'agent',
        realm: 'r',
        commands: 1,
        finished_at: 1,
        place: 1,
        refusal: null,
        result: null,
        hash: null,
        checkpoints: null,
      })
      .execute()
    await gameHost.moderation.keep('reserve', 'kept', 9999 * dayMs)
    await passDays(800)
    expect(await freed(tokens)).toEqual(names.map(() => false))
    expect(await ask('Bought')).toMatchObject({ requested: 'Bought' })
    expect(await ask('Bought', tokens[0])).toMatchObject({ name: 'Bought', token: tokens[0] })
  })

  it('keeps the name while a life goes on, across restarts, and when it returns while somebody else asks for the name', async () => {
    const token = await enter('Slow')
    for (let visit = 0; visit < 6; visit++) {
      await passDays(20)
      await gameHost.dungeon.act(token, '.')
      await gameHost.stop()
      await open()
    }
    const [back, other] = await Promise.all([ask('Slow', token), ask('Slow')])
    expect(back).toMatchObject({ name: 'Slow', isResumed: true })
    expect(other).toMatchObject({ requested: 'Slow' })
  })

  it('keeps the name when a gift arrives before it would be freed', async () => {
    const token = await enter('Gifted')
    await passDays(25)
    const grants = { player: 'Gifted', tokenHash: 'x'.repeat(64), entitlements: ['supporter'], isCupEntry: false }
    await gameHost.ledger.transaction().execute((tx) => applyGrants(tx, JSON.stringify(grants), clock))
    await passDays(100)
    expect(await ownerOf(token)).toBe('Gifted')
  })
})
