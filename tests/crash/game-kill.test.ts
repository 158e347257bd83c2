import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { summarizeLife } from '../../game-server/core/life.ts'
import { step } from '../../game-server/core/step.ts'
import { makeWorld } from '../../game-server/core/world.ts'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import { bundleProgram } from '../support/bundle-program.ts'
import { figure, limitMs } from '../support/figures.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'
import { openTestGame, openTestLedger } from '../support/test-databases.ts'

const kills = figure(10, 50)
const bots = 64
const thinkMs = figure(120, 20)
const longestLifeMs = figure(350, 1000)
/** A crash may lose 200 ms of moves. The test allows for more, because a write may be late on a busy machine. */
const lossMs = 600
const keys = ['o', '>', 'f', 'o', '>', 'east', 'south', 'west', 'north', 'g', 'R']

/** A player that comes back with its token whenever the host does. */
interface Bot {
  readonly name: string
  token: string | undefined
  client: SocketClient | undefined
  realm: string
  /** The turns that were acknowledged, each with its time in ms. */
  seen: { at: number; turn: number }[]
  deaths: number
}

async function startHost(folder: string): Promise<{ child: ChildProcess; wsUrl: string }> {
  const child = spawn(process.execPath, [await bundleProgram('tests/crash/dying-game.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('the host has no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, wsUrl: String(line).replace('listening ', '') }
}

/** Joins again, and returns whether the life that the bot had went on. */
async function comeBack(bot: Bot, wsUrl: string): Promise<boolean> {
  const client = await openSocket(wsUrl)
  client.send({ type: 'join', name: bot.name, kind: 'agent', obs: 'json', resumeToken: bot.token })
  const welcome = await client.next('welcome')
  const first = await client.next('obs')
  const isSame = welcome['resumed'] === true && (bot.realm === '' || welcome['realm'] === bot.realm)
  if (isSame && bot.token !== undefined) {
    const kept = Math.max(0, ...bot.seen.filter(({ at }) => at < killedAt - lossMs).map(({ turn }) => turn))
    expect(Number(first['turn']), `${bot.name} lost more than the last moves`).toBeGreaterThanOrEqual(kept)
    if (kept > 0) compared++
  }
  Object.assign(bot, { client, token: String(welcome['resumeToken']), realm: String(welcome['realm']), seen: [] })
  return isSame
}

let killedAt = 0
/** How often a bot came back that had moved long enough before the kill for its moves to be kept. */
let compared = 0

/** Presses random keys until the host is gone. A bot that dies begins a new life. */
async function play(bot: Bot): Promise<void> {
  for (let n = 1; bot.client?.socket.readyState === 1; n++) {
    bot.client.send({ type: 'input', key: keys[Math.floor(Math.random() * keys.length)] ?? '.', n })
    const answered = await Promise.race([bot.client.next('obs'), bot.client.closed])
    if (typeof answered === 'number') return
    bot.seen.push({ at: performance.now(), turn: Number(answered['turn']) })
    const death = bot.client.frames.some(({ type }) => type === 'death')
    if (death) {
      bot.deaths++
      bot.client.frames.length = 0
      bot.client.send({ type: 'join', name: bot.name, kind: 'agent', obs: 'json', resumeToken: bot.token })
      const welcome = await Promise.race([bot.client.next('welcome'), bot.client.closed])
      if (typeof welcome === 'number') return
      bot.realm = String(welcome['realm'])
      bot.seen = []
    }
    await delay(Math.random() * 2 * thinkMs)
  }
}

/**
 * Checks that the credits are exactly those that the logs earned, that each life is what its log replays to, that no
 * reported death is missing, and that each bot has exactly one life that goes on. A bot that was given a new life
 * while its old one still went on would have two.
 */
async function expectTrue(folder: string, crowd: readonly Bot[]): Promise<void> {
  const db = await openTestGame(folder)
  const ledger = await openTestLedger(folder)
  const earned: string[] = []
  const ended: string[] = []
  const going: string[] = []
  for (const { id, seed } of await db.selectFrom('realm').selectAll().execute()) {
    const lives = await db.selectFrom('life').selectAll().where('realm', '=', id).execute()
    const world = makeWorld(seed)
    const log = await readCommands(db, id)
    for (const { commands } of lives) expect(commands).toBeLessThanOrEqual(log.length)
    for (const [at, command] of log.entries()) {
      step(world, command, [])
      for (const { commands, hash } of lives) if (commands === at + 1) expect(hashWorld(world)).toBe(hash)
    }
    for (const player of world.players.keys()) {
      const { name, depth, isOver } = summarizeLife(world, player)
      ;(isOver ? ended : going).push(name)
      expect(lives.some((life) => life.player === player)).toBe(isOver)
      for (let reached = 2; reached <= depth; reached++) earned.push(`${id}/${player}/${reached}`)
    }
  }
  const entries = await ledger.selectFrom('credit_entry').select('ref').where('reason', '=', 'depth').execute()
  expect(entries.map(({ ref }) => ref).sort()).toEqual(earned.sort())
  expect(going.sort()).toEqual(crowd.map(({ name }) => name).sort())
  for (const { name, deaths } of crowd)
    expect(ended.filter((one) => one === name).length, name).toBeGreaterThanOrEqual(deaths)
  await db.destroy()
  await ledger.destroy()
}

it(`loses no player, no credit and no life, killed ${kills} times under ${bots} players`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'undercroft-kill-'))
  const crowd = Array.from({ length: bots }, (_, at): Bot => {
    return { name: `Bot${at}`, token: undefined, client: undefined, realm: '', seen: [], deaths: 0 }
  })
  for (let kill = 0; kill < kills; kill++) {
    const { child, wsUrl } = await startHost(folder)
    await Promise.all(crowd.map((bot) => comeBack(bot, wsUrl)))
    const playing = Promise.all(crowd.map(play))
    // Some hosts live long enough for moves that no crash may lose.
    await delay(50 + Math.random() * longestLifeMs + (kill % 3 === 0 ? lossMs : 0))
    killedAt = performance.now()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await playing
  }
  const { child, wsUrl } = await startHost(folder)
  const resumed = await Promise.all(crowd.map((bot) => comeBack(bot, wsUrl)))
  // Some bots died in their last moments, and the logs show that; all others continue their lives.
  expect(resumed.filter(Boolean).length).toBeGreaterThan(bots / 2)
  expect(compared).toBeGreaterThan(0)
  // A host that stops regularly has written and credited everything.
  child.stdin?.end()
  await once(child, 'exit')
  await expectTrue(folder, crowd)
  rmSync(folder, { recursive: true })
})
