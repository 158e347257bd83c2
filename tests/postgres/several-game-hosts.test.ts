import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import { type GameDatabase, openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { operatorSecretFile } from '../../src/storage/operator-secret-file.ts'
import { startGameMachine } from '../support/game-machine.ts'
import type { RunningSite } from '../support/running-site.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'
import { makeDatabase } from '../support/test-databases.ts'

/** Two machines that share nothing but a database and a secret. */
const machines: RunningSite[] = []
let url: string
let db: GameDatabase
let ledger: LedgerDatabase

async function start(): Promise<RunningSite> {
  const machine = await startGameMachine(url)
  machines.push(machine)
  return machine
}

let one: RunningSite
let other: RunningSite
beforeAll(async () => {
  url = await makeDatabase()
  db = await openGameDatabase('', url)
  ledger = await openLedgerDatabase('', url)
  ;[one, other] = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(machines.map((machine) => machine.kill()))
  await db?.destroy()
  await ledger?.destroy()
})

interface Player {
  readonly client: SocketClient
  readonly token: string
  readonly realm: string
  readonly resumed: unknown
  readonly turn: number
}

/** Joins, and again after `retryAfterMs` if it is told to, as clients do. */
async function joinAt(machine: RunningSite, message: object): Promise<Player> {
  const client = await openSocket(`ws://127.0.0.1:${machine.port}/ws`)
  client.send({ type: 'join', kind: 'agent', obs: 'json', ...message })
  const answer = await client.next('welcome', 'error')
  if (answer.type === 'error') {
    const { retryAfterMs } = z.object({ retryAfterMs: z.number() }).parse(answer)
    await client.close()
    await delay(retryAfterMs)
    return joinAt(machine, message)
  }
  const { resumeToken: token, realm, resumed } = answer
  return {
    client,
    token: String(token),
    realm: String(realm),
    resumed,
    turn: Number((await client.next('obs'))['turn']),
  }
}

async function press({ client }: Player, n: number): Promise<number> {
  client.send({ type: 'input', key: '.', n })
  return Number((await client.next('obs'))['turn'])
}

const keysOf = async ({ realm }: Player): Promise<number> =>
  (await readCommands(db, realm)).filter(({ is }) => is === 'key').length

const playerAt = async (machine: RunningSite, name: string) => ({ ...(await joinAt(machine, { name })), name })

it('leads a returning player to the host that has its life, over a socket and over the tools', async () => {
  const ada = await playerAt(one, 'Ada')
  expect(await press(ada, 1)).toBe(1)
  const back = await joinAt(other, { name: 'Ada', resumeToken: ada.token })
  expect([back.resumed, back.realm, back.turn]).toEqual([true, ada.realm, 1])
  expect(await ada.client.closed).toBe(4001)
  expect(await press(back, 1)).toBe(2)
  expect(await callTool(other, 'dungeon_action', ada.token, { key: '.' })).toContain('TURN 3')
  expect(await callTool(one, 'dungeon_look', ada.token, {})).toContain('TURN 3')
  // A spectator is led there as well.
  const watcher = await openSocket(`ws://127.0.0.1:${other.port}/ws`)
  watcher.send({ type: 'watch', player: 'Ada' })
  expect(await watcher.next('watching')).toMatchObject({ player: 'Ada' })
  await watcher.close()
  expect(await liveAt(one)).toEqual(await liveAt(other))
  expect(await liveAt(one)).toContain('Ada')
  await back.client.close()
})

it('lets a session of the tools go on at whichever host its next request reaches', async () => {
  const open = await callMcp(one, {}, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a client of before', version: '1' },
  })
  const session = { 'mcp-session-id': open.headers.get('mcp-session-id') ?? '' }
  const call = async (machine: RunningSite, name: string, args: object): Promise<string> => {
    const answer = await callMcp(machine, session, 'tools/call', { name, arguments: args })
    return textOf(await answer.json())
  }
  expect(await call(other, 'dungeon_join', { name: 'Wanderer' })).toContain('TURN 0')
  expect(await call(one, 'dungeon_action', { key: '.' })).toContain('TURN 1')
  expect(await call(other, 'dungeon_action', { key: '.' })).toContain('TURN 2')
  const strange = await callMcp(other, { 'mcp-session-id': 'nobodys.0' }, 'tools/list', {})
  expect(strange.status).toBe(404)
})

it('carries announcements and decisions of the operator to every host', async () => {
  const secret = readFileSync(operatorSecretFile(one.dataDir), 'utf8').trim()
  const order = async (body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    return (await one.fetch('/api/operator', { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const guest = await playerAt(other, 'Guest')
  expect(await order({ order: 'announce', text: 'supper is ready' })).toBe(200)
  expect(await guest.client.next('announce')).toMatchObject({ text: 'supper is ready' })
  expect(await order({ order: 'kick', player: 'Guest' })).toBe(200)
  expect(await guest.client.closed).toBe(4004)
  const back = await openSocket(`ws://127.0.0.1:${other.port}/ws`)
  back.send({ type: 'join', name: 'Guest', resumeToken: guest.token })
  expect(await back.next('error')).toMatchObject({ code: 'kicked' })
  await back.close()
})

it('refuses to tell anybody else what hosts ask each other', async () => {
  const headers = { authorization: 'Bearer guessed', 'content-type': 'application/json' }
  const answer = await one.fetch('/api/hosts', { method: 'POST', headers, body: '{"ask":{"order":"live"}}' })
  expect(answer.status).toBe(404)
})

it('gives two sockets that come to two hosts with one token at the same time a single life', async () => {
  const ada = await playerAt(one, 'Twin')
  await ada.client.close()
  const both = await Promise.all([one, other].map((each) => joinAt(each, { name: 'Twin', resumeToken: ada.token })))
  expect(both.map(({ resumed }) => resumed)).toEqual([true, true])
  const daily = { name: 'Twin', resumeToken: ada.token, mode: 'daily' }
  for (const { client } of both) await client.close()
  const days = await Promise.all([one, other].map((each) => joinAt(each, daily)))
  expect(new Set(days.map(({ realm }) => realm)).size).toBe(1)
  const lives = await db.selectFrom('seat').select('realm').where('account', '=', 'twin').execute()
  expect(lives).toHaveLength(2)
  for (const { client } of days) await client.close()
})

it('a host hands its realms over at once when it ends', async () => {
  const ending = await start()
  const ada = await playerAt(ending, 'Leaver')
  const turn = await press(ada, 1)
  const gone = once(ending.child, 'exit')
  ending.child.kill('SIGTERM')
  expect(await ada.client.closed).toBe(1012)
  const back = await joinAt(one, { name: 'Leaver', resumeToken: ada.token })
  expect([back.resumed, back.realm, back.turn]).toEqual([true, ada.realm, turn])
  expect(await gone).toEqual([0, null])
  await back.client.close()
})

it('loses no key press that was answered when a host is killed, and players go on at another host', async () => {
  const dying = await start()
  const players = await Promise.all(Array.from({ length: 20 }, (_, at) => joinAt(dying, { name: `Doomed-${at}` })))
  const answered = players.map(() => 0)
  const pressing = players.map(async (player, at) => {
    for (let n = 1; ; n++)
      try {
        await pressOrEnd(player, n)
        answered[at] = n
      } catch {
        return
      }
  })
  await expect.poll(() => Math.min(...answered)).toBeGreaterThan(5)
  await dying.kill('SIGKILL')
  await Promise.all(pressing)
  const back = await Promise.all(
    players.map(({ token }, at) => joinAt(at % 2 === 0 ? one : other, { name: `Doomed-${at}`, resumeToken: token })),
  )
  expect(back.map(({ resumed }) => resumed)).toEqual(players.map(() => true))
  expect(back.map(({ realm }) => realm)).toEqual(players.map(({ realm }) => realm))
  for (const [at, { turn }] of back.entries()) expect(turn).toBeGreaterThanOrEqual(answered[at] ?? 0)
  for (const { client } of back) await client.close()
})

it('pays what a dead host owed, at whichever host has the realm by then', async () => {
  const dying = await start()
  const ada = await playerAt(dying, 'Owed')
  await dying.kill('SIGKILL')
  // The same as if she had gone down two levels and the host had died before it paid.
  await db.updateTable('seat').set({ paid_depth: -1 }).where('account', '=', 'owed').execute()
  const earned = () =>
    ledger.selectFrom('credit_entry').select('amount').where('player_key', '=', 'owed').orderBy('amount').execute()
  await joinAt(one, { name: 'Owed', resumeToken: ada.token }).then(({ client }) => client.close())
  await expect.poll(earned).toEqual([{ amount: 0 }, { amount: 1 }])
})

it('a host keeps its lease while the database blocks its search for dead hosts', async () => {
  await db.transaction().execute(async (tx) => {
    await sql`lock table realm in access exclusive mode`.execute(tx)
    await expect.poll(() => countHeldUp('delete from "host"')).toBeGreaterThanOrEqual(2)
    // Longer than a lease lasts.
    await delay(2500)
    const { rows } = await sql<{ address: string }>`
      select address from host where until > extract(epoch from clock_timestamp()) * 1000`.execute(tx)
    const living = rows.map(({ address }) => new URL(address).port)
    expect(living).toEqual(expect.arrayContaining([`${one.port}`, `${other.port}`]))
  })
})

it('a frozen host writes nothing more to a realm that another host took', async () => {
  const frozen = await start()
  const ada = await playerAt(frozen, 'Sleeper')
  const turn = await press(ada, 1)
  await freezeAtItsWord(frozen)
  const back = await joinAt(one, { name: 'Sleeper', resumeToken: ada.token })
  expect([back.resumed, back.realm, back.turn]).toEqual([true, ada.realm, turn])
  // It wakes up with key presses that were never answered.
  for (let n = 2; n < 10; n++) ada.client.send({ type: 'input', key: '.', n })
  const before = await keysOf(back)
  frozen.child.kill('SIGCONT')
  await expect.poll(() => ada.client.socket.readyState).toBe(ada.client.socket.CLOSED)
  expect(await ada.client.closed).toBe(1012)
  expect(ada.client.frames.filter(({ type }) => type === 'obs')).toEqual([])
  expect(await keysOf(back)).toBe(before)
  expect(await press(back, 1)).toBe(turn + 1)
  await expect.poll(() => keysOf(back)).toBe(before + 1)
  expect(frozen.output()).toContain('was taken over by another game host')
  // It plays on with its own realms. The others look for abandoned realms twice a second, and must leave it these.
  const later = await playerAt(frozen, 'Later')
  await delay(1200)
  expect(await press(later, 1)).toBe(1)
  await later.client.close()
  await back.client.close()
})

/** Freezes a host while the database blocks the renewal of its lease. When it wakes up, the lease has long expired. */
async function freezeAtItsWord(machine: RunningSite): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('host')
      .select('id')
      .where('address', 'like', `%:${machine.port}`)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await expect.poll(() => countHeldUp('insert into "host"')).toBe(1)
    machine.child.kill('SIGSTOP')
  })
}

/** How many statements with this beginning wait for a lock. */
async function countHeldUp(beginning: string): Promise<number> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
  return rows.filter(({ query }) => query.startsWith(beginning)).length
}

/** Presses a key; rejects when the socket ends before it is answered. */
const pressOrEnd = (player: Player, n: number): Promise<number> =>
  Promise.race([
    press(player, n),
    player.client.closed.then(() => {
      throw new Error('closed')
    }),
  ])

const toolAnswer = z.object({ result: z.object({ content: z.array(z.object({ text: z.string() })) }) })

const textOf = (body: unknown): string =>
  toolAnswer
    .parse(body)
    .result.content.map(({ text }) => text)
    .join()

const callMcp = (machine: RunningSite, headers: Record<string, string>, method: string, params: object) =>
  machine.fetch('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

async function callTool(machine: RunningSite, name: string, token: string, args: object): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await callMcp(machine, headers, 'tools/call', { name, arguments: args })
  return textOf(await answer.json())
}

const live = z.object({ players: z.array(z.object({ name: z.string() })) })

const liveAt = async (machine: RunningSite): Promise<string[]> =>
  live
    .parse(await (await machine.fetch('/api/live')).json())
    .players.map(({ name }) => name)
    .toSorted()
