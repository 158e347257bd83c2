import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCupRecords } from '../../game-server/cup/cup-records.ts'
import { makeCupRoutes } from '../../game-server/cup/cup-routes.ts'
import { toCommitment, toDice } from '../../game-server/cup/cup-seed.ts'
import { makeCups } from '../../game-server/cup/cups.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { runCups } from '../../game-server/cup/run-cups.ts'
import { verifyRun } from '../../game-server/cup/verify-run.ts'
import { type RunFile, runFileSchema } from '../../game-server/protocol/run-file.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { makeRouter } from '../../src/http/make-router.ts'
import { grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { runProgram } from '../support/run-program.ts'
import { toPlace } from '../support/test-databases.ts'

const bots = 20
const keysPerBot = figure(25, 1600)
const folder = mkdtempSync(join(tmpdir(), 'farthing-cup-'))
const tokens = new Map<string, string>()

let gameHost: RunningGameHost
let running: ReturnType<typeof runCups>
let ask: (path: string) => Promise<Response>
beforeAll(async () => {
  const door = (): CupAccess => makeCups({ db: gameHost.ledger, now: Date.now })
  const cups: CupAccess = { enter: (owner) => door().enter(owner), isRevealed: (cup) => door().isRevealed(cup) }
  gameHost = await startGameHost({ folder, cups, inputLimits: { perSecond: 1e6, burst: 1e6 } })
  const { ledger: db, db: gameDb, game } = gameHost
  running = runCups({
    db,
    gameDb,
    game,
    now: Date.now,
    log: (_, fields) => gameHost.noted.push(JSON.stringify(fields)),
  })
  const answer = makeRouter({
    routes: makeCupRoutes(makeCupRecords({ db, gameDb, now: Date.now })),
    baseUrl: 'http://farthing.test',
    notFound: () => new Response(null, { status: 404 }),
    report: ({ error }) => gameHost.noted.push(error),
  })
  ask = (path) => answer(new Request(`http://game.test${path}`), path, '')
})
afterAll(async () => {
  await running.stop()
  await gameHost.stop()
  rmSync(folder, { recursive: true })
})

const root = fileURLToPath(new URL('../../', import.meta.url))
async function run(program: string, argument: string) {
  const env = { PATH: process.env['PATH'] ?? '', ...(await toPlace(folder)) }
  const { status, stdout, stderr } = await runProgram(process.execPath, [program, argument], { cwd: root, env })
  return { status, stdout: stdout.toString(), stderr }
}
const operate = (command: string) => run('src/commands/cup.ts', command)
const cupSchema = z.looseObject({
  state: z.string(),
  commitment: z.string(),
  seed: z.string().nullable(),
  entries: z.int(),
  runs: z.int(),
  standings: z
    .array(z.looseObject({ place: z.int(), name: z.string(), score: z.int(), turn: z.int(), run: z.string() }))
    .nullable(),
  refused: z.array(z.object({ name: z.string(), refusal: z.string() })).nullable(),
})
const readCup = async () => cupSchema.parse(await (await ask('/api/cups/cup-1')).json())
const readRun = async (run: string) => runFileSchema.parse(await (await ask(`/api/cup-runs/${run}`)).json())
const judge = (run: RunFile) => verifyRun({ ...run, name: run.life.name })

async function enter(name: string, token?: string) {
  return gameHost.dungeon.join({ name, kind: 'agent', mode: 'cup', token })
}
async function giveEntry(name: string) {
  const joined = await makeAccounts({ db: gameHost.ledger, now: Date.now }).join({ name, kind: 'agent' })
  if (joined.is !== 'joined') throw new Error(joined.is)
  tokens.set(name, joined.token)
  await gameHost.ledger
    .transaction()
    .execute((tx) =>
      grantEntitlements(
        tx,
        { key: name.toLowerCase(), entitlements: ['agent_cup_entry'], scope: 'cup-1', source: 'purchase' },
        Date.now(),
      ),
    )
}

/** Plays like a mediocre player, a little differently for each index. */
async function play(name: string, index: number) {
  const wishes = ['o', '>', 'f', 'o', 'east', 'south', 'o', '>', 'west', 'north', '.']
  for (let press = 0; press < keysPerBot; press++) {
    const seen = await gameHost.dungeon.act(tokens.get(name) ?? '', wishes[(press + index) % wishes.length] ?? '.')
    if (seen.is === 'seen' && seen.death) return
  }
}

const names = Array.from({ length: bots }, (_, index) => `Bot-${index + 1}`)
const [first = '', forger = ''] = names
let promised = ''
let winner: RunFile

describe('an Agent Cup', () => {
  it('is opened with a commitment: the hash of a seed that is kept secret', async () => {
    expect((await enter('Early')).is).toBe('refused')
    const { stdout } = await operate('open')
    promised = /commitment ([0-9a-f]{64})/.exec(stdout)?.[1] ?? ''
    const cup = await readCup()
    expect(cup).toMatchObject({ state: 'open', commitment: promised, seed: null, standings: null })
    await expect(openCup(gameHost.ledger, { hours: 1, now: Date.now() })).rejects.toThrow('cup-1 is open')
  })

  it('is played in secret by players with an entry, each once', { timeout: limitMs(600_000, 600_000) }, async () => {
    expect(await enter('Stranger')).toMatchObject({ is: 'refused', code: 'no_entry' })
    for (const name of names) {
      await giveEntry(name)
      expect(await enter(name, tokens.get(name))).toMatchObject({ is: 'seen', isResumed: false })
    }
    expect(await enter(first, tokens.get(first))).toMatchObject({ is: 'seen', isResumed: true })
    await Promise.all(names.map(play))
    expect(await readCup()).toMatchObject({ entries: bots, runs: bots, seed: null, standings: null })
    const { id } = await gameHost.db
      .selectFrom('realm')
      .select('id')
      .where('mode', '=', 'cup')
      .executeTakeFirstOrThrow()
    expect((await ask(`/api/cup-runs/${id}`)).status).toBe(404)
  })

  it('is closed by one command: the host ends the runs, replays each of them, and refuses a forged log', async () => {
    // Ending the runs writes the rest of their logs, so the forged log is ended before it is altered.
    await gameHost.game.endCup('cup-1')
    const { realm } = await gameHost.db
      .selectFrom('life')
      .select('realm')
      .where('name', '=', forger)
      .where('mode', '=', 'cup')
      .executeTakeFirstOrThrow()
    const log = await gameHost.db
      .selectFrom('input_log')
      .select(['first', 'commands'])
      .where('realm', '=', realm)
      .where('commands', 'like', '%"key":"o"%')
      .executeTakeFirstOrThrow()
    await gameHost.db
      .updateTable('input_log')
      .set({ commands: log.commands.replace('"key":"o"', '"key":"."') })
      .where('realm', '=', realm)
      .where('first', '=', log.first)
      .execute()

    const { stdout } = await operate('close')
    // The command counts all runs here, including the one that it will refuse.
    expect(stdout).toMatch(/^the cup is closed; .* all are being verified$/m)
    const cup = await readCup()
    expect(cup.state).toBe('over')
    expect(toCommitment(cup.seed ?? '')).toBe(promised)
    expect(stdout).toContain(cup.seed)
    expect(cup.refused).toEqual([{ name: forger, refusal: expect.stringContaining('a different one') }])
    const standings = cup.standings ?? []
    expect(standings.map(({ place }) => place)).toEqual(Array.from({ length: bots - 1 }, (_, index) => index + 1))
    for (const [index, { score, turn }] of standings.slice(1).entries()) {
      const before = standings[index]
      expect(before && (before.score > score || (before.score === score && before.turn <= turn))).toBe(true)
    }
    const best = standings[0]
    expect(stdout).toContain(`1.       ${best?.name}`)
    const prizes = gameHost.ledger.selectFrom('entitlement').selectAll().where('source', '=', 'prize')
    const won = { player_key: best?.name.toLowerCase(), scope: 'cup-1' }
    expect(await prizes.execute()).toMatchObject([
      { ...won, entitlement: 'badge_cup' },
      { ...won, entitlement: 'frame_legend' },
    ])
    winner = await readRun(best?.run ?? '')
    expect(gameHost.noted).toEqual([])
  })

  it('leaves run files that anybody can verify with one command', async () => {
    const file = join(folder, 'run.json')
    writeFileSync(file, JSON.stringify(winner))
    const verified = await run('src/commands/verify-run.ts', file)
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining(`verified: ${winner.life.name}`)])
  })

  it('is not accepted with one key, random number, name or commitment changed', () => {
    expect(judge(winner).is).toBe('verified')
    const [join, ...rest] = winner.commands
    if (join?.is !== 'join' || !winner.cup) throw new Error('a run begins with its player')
    const at = rest.findIndex((command) => command.is === 'key' && command.key === 'o')
    const changed = rest.map((command, index) => (index === at ? { ...command, key: '.' } : command))
    const key = { is: 'key', player: 1, key: 'look' } as const
    const forgeries: RunFile[] = [
      { ...winner, commands: [join, ...changed] },
      { ...winner, commands: [join, ...rest, key] },
      { ...winner, commands: winner.commands.slice(0, -1) },
      { ...winner, commands: [{ ...join, dice: toDice(winner.seed, 'somebody') }, ...rest] },
      { ...winner, commands: [join, ...rest.slice(0, 10), join, ...rest.slice(10)] },
      { ...winner, commands: [join, ...rest, ...Array<typeof key>(1500).fill(key)] },
      { ...winner, life: { ...winner.life, name: 'Thief' } },
      { ...winner, life: { ...winner.life, score: winner.life.score + 1 } },
      { ...winner, seed: 'ab'.repeat(32) },
      { ...winner, cup: { ...winner.cup, commitment: toCommitment('ab'.repeat(32)) } },
      { ...winner, hash: '0'.repeat(16) },
      { ...winner, checkpoints: ['0'.repeat(16)] },
      { ...winner, rules: winner.rules + 1 },
    ]
    for (const [index, forgery] of forgeries.entries()) expect(judge(forgery).is, `forgery ${index}`).toBe('refused')
  })

  it('is not accepted when it was honestly played with other random numbers, with other players or for longer', () => {
    const [join, ...rest] = winner.commands
    if (join?.is !== 'join') throw new Error('a run begins with its player')
    // The result is left out of the claim, so that only the rules of the cup speak against it.
    const judgeTerms = (commands: RunFile['commands']) => {
      const { seed, cup, rules, player, life } = winner
      return verifyRun({ seed, cup, rules, player, name: life.name, commands })
    }
    expect(judgeTerms(winner.commands).is).toBe('verified')
    const key = { is: 'key', player: 1, key: 'look' } as const
    const company = { ...join, name: 'Company' }
    for (const [why, commands] of [
      [/dice/, [{ ...join, dice: toDice(winner.seed, 'somebody') }, ...rest]],
      [/alone/, [join, company, ...rest]],
      [/1500 keys/, [join, ...Array<typeof key>(1501).fill(key)]],
    ] as const)
      expect(judgeTerms([...commands])).toEqual({ is: 'refused', why: expect.stringMatching(why) })
  })
})
