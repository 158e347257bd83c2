import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateLevel } from '../../game-server/core/levels/generate-level.ts'
import { below, makeRng, startRng } from '../../game-server/core/prng.ts'
import { replay } from '../../game-server/core/replay.ts'
import { fold } from '../../game-server/core/stream.ts'
import { rules } from '../../game-server/core/world.ts'
import { closeCup } from '../../game-server/cup/close-cup.ts'
import { makeCupRecords } from '../../game-server/cup/cup-records.ts'
import { toDice } from '../../game-server/cup/cup-seed.ts'
import { makeCups } from '../../game-server/cup/cups.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { verifyRun } from '../../game-server/cup/verify-run.ts'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import { newSeed } from '../../game-server/realms/new-seed.ts'
import { getDaily } from '../../game-server/sessions/daily.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'

/**
 * Two secrets that rules 1 fold to the same 32 bits for every name of this length: a birthday collision among 2^32,
 * found in the time of some 2^17 tries.
 */
function findTwins(): [string, string] {
  const seen = new Map<number, string>()
  for (;;) {
    const seed = newSeed()
    const folded = fold(`${seed}\u0000level/1`)
    const twin = seen.get(folded)
    if (twin !== undefined) return [twin, seed]
    seen.set(folded, seed)
  }
}

/** Depths of one digit, so that the names of all these levels have the same length. */
const depths = Array.from({ length: 9 }, (_, index) => index + 1)

describe('an attacker who wants to compute a secret dungeon from a look at it', () => {
  it('has to try whole secrets: two that are the same dungeon in the 32 bits of rules 1 have no level in common now', () => {
    const [one, other] = findTwins()
    const isSame = (depth: number, byRules?: number) => {
      const [here, there] = [one, other].map((seed) => generateLevel(seed, depth, byRules).tiles.join())
      return here === there
    }
    expect(depths.filter((depth) => isSame(depth, 1))).toEqual(depths)
    expect(depths.filter((depth) => isSame(depth))).toEqual([])
  })

  it('learns nothing of one random stream from another, because each begins with its own HMAC of the secret', () => {
    const seed = newSeed()
    for (const stream of [...depths.flatMap((depth) => [`level/${depth}`, `stock/${depth}`]), 'looks', 'dice/1']) {
      const mac = createHmac('sha256', seed).update(`undercroft ${stream}`).digest()
      expect(makeRng(seed, stream)).toEqual(startRng([0, 4, 8, 12].map((at) => mac.readInt32BE(at))))
    }
  })

  it('cannot tell the dice of another entrant from its own', () => {
    const [seed, throws] = [newSeed(), 64]
    const dice = Array.from({ length: 40 }, (_, entrant) => {
      const rng = makeRng(toDice(seed, `bot-${entrant}`), 'dice/1')
      return Array.from({ length: throws }, () => below(rng, 2)).join('')
    })
    expect(new Set(dice).size).toBe(dice.length)
  })
})

const folder = mkdtempSync(join(tmpdir(), 'farthing-secret-'))
const fast = { perSecond: 1e9, burst: 1e9 }

describe('a cup and a daily dungeon that began under rules 1', () => {
  let gameHost: RunningGameHost
  const open = async () => {
    const cups = { enter: (owner: Owner) => door().enter(owner), isRevealed: (id: string) => door().isRevealed(id) }
    gameHost = await startGameHost({ folder, cups, inputLimits: fast })
  }
  type Owner = Parameters<ReturnType<typeof makeCups>['enter']>[0]
  const door = () => makeCups({ db: gameHost.ledger, now: Date.now })
  beforeAll(open)
  afterAll(async () => {
    await gameHost.stop()
    rmSync(folder, { recursive: true })
  })

  async function enter(name: string) {
    const joined = await makeAccounts({ db: gameHost.ledger, now: Date.now }).join({ name, kind: 'agent' })
    if (joined.is !== 'joined') throw new Error(joined.is)
    const grant = {
      key: name.toLowerCase(),
      entitlements: ['agent_cup_entry'],
      scope: 'cup-1',
      source: 'purchase',
    } as const
    await gameHost.ledger.transaction().execute((tx) => grantEntitlements(tx, grant, Date.now()))
    const seen = await gameHost.dungeon.join({ name, kind: 'agent', mode: 'cup', token: joined.token })
    if (seen.is === 'refused') throw new Error(seen.message)
    return { token: joined.token, text: seen.text }
  }
  const press = async (token: string) => {
    for (const key of ['o', 'o', 'o', '>', 'o', 'o']) await gameHost.dungeon.act(token, key)
  }
  const mapOf = (text: string) => text.slice(text.indexOf('MAP'), text.indexOf('IN VIEW'))

  it('are played to the end under rules 1, across a restart, and verified; the next ones begin under the current rules', async () => {
    const { id } = await openCup(gameHost.ledger, { hours: 1, now: Date.now() })
    await gameHost.ledger.updateTable('cup').set({ rules: 1 }).execute()
    const early = await enter('Early')
    await press(early.token)
    await gameHost.stop()
    await open()
    await press(early.token)
    const late = await enter('Late')
    await press(late.token)
    expect(mapOf(late.text)).toBe(mapOf(early.text))

    await gameHost.game.endCup(id)
    await closeCup(
      { db: gameHost.ledger, gameDb: gameHost.db, now: Date.now, report: (error) => expect.fail(String(error)) },
      1,
    )
    const books = makeCupRecords({ db: gameHost.ledger, gameDb: gameHost.db, now: Date.now })
    const report = await books.find(id)
    expect(report).toMatchObject({ rules: 1, refused: [], standings: [{ place: 1 }, { place: 2 }] })
    const run = await books.findRun(report?.standings?.[0]?.run ?? '')
    if (!run) throw new Error('a cup that is over shows its runs')
    const claim = { ...run, name: run.life.name }
    expect(verifyRun(claim).is).toBe('verified')
    // The same keys under the current rules are another life, because the seed makes another dungeon there.
    expect(verifyRun({ ...claim, rules }).is).toBe('refused')
    expect(verifyRun({ ...claim, rules: 0 })).toMatchObject({ is: 'refused', why: expect.stringContaining('rules 0') })

    await openCup(gameHost.ledger, { hours: 1, now: Date.now() })
    expect((await books.list()).cups[0]).toMatchObject({ id: 'cup-2', rules })
  })

  it('the daily dungeon keeps its rules on the day of the upgrade, and the next one has the current rules', async () => {
    await gameHost.db.insertInto('daily').values({ day: '2001-01-01', seed: 'as it was', rules: 1 }).execute()
    expect(await getDaily(gameHost.db, '2001-01-01')).toEqual({ seed: 'as it was', rules: 1 })
    const next = await getDaily(gameHost.db, '2001-01-02')
    expect(next).toEqual({ seed: expect.stringMatching(/^[0-9a-f]{64}$/), rules })

    const joined = await gameHost.dungeon.join({ name: 'Daily', kind: 'agent', mode: 'daily' })
    if (joined.is === 'refused') throw new Error(joined.message)
    await press(joined.token)
    await gameHost.stop()
    await open()
    const realm = await gameHost.db
      .selectFrom('realm')
      .selectAll()
      .where('mode', '=', 'daily')
      .executeTakeFirstOrThrow()
    expect(realm.rules).toBe(rules)
    const commands = await readCommands(gameHost.db, realm.id)
    expect(replay(realm.seed, commands, rules).world.players.get(1)?.turn).toBeGreaterThan(0)
  })
})
