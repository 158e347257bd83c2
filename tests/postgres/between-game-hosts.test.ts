import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGameMachine } from '../support/game-machine.ts'
import type { RunningSite } from '../support/running-site.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'
import { makeDatabase } from '../support/test-databases.ts'

/** Two machines behind one proxy, with the limits that they have in production. */
const machines: RunningSite[] = []
let url: string

async function start(): Promise<RunningSite> {
  const machine = await startGameMachine(url, { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' })
  machines.push(machine)
  return machine
}

let one: RunningSite
let other: RunningSite
beforeAll(async () => {
  url = await makeDatabase()
  ;[one, other] = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(machines.map((machine) => machine.kill()))
})

/** A client of the tools whose session is at one host, and whose requests may go to any host. */
async function openSession(machine: RunningSite, caller: string) {
  const ask = (at: RunningSite, session: Record<string, string>, method: string, params: object): Promise<Response> =>
    at.fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-forwarded-for': caller,
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  const about = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a client', version: '1' } }
  const opened = await ask(machine, {}, 'initialize', about)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  return (at: RunningSite, method: string, params: object = {}) => ask(at, session, method, params)
}

async function sitDown(machine: RunningSite, name: string): Promise<SocketClient> {
  const client = await openSocket(`ws://127.0.0.1:${machine.port}/ws`)
  client.send({ type: 'join', kind: 'agent', obs: 'json', name })
  await client.next('welcome')
  return client
}

it('finds a player to watch, at whichever of several hosts one plays', async () => {
  const third = await start()
  for (const machine of [one, third]) {
    const player = await sitDown(machine, `Only-${machine.port}`)
    const watcher = await openSocket(`ws://127.0.0.1:${other.port}/ws`)
    watcher.send({ type: 'watch' })
    expect(await watcher.next('watching', 'error')).toMatchObject({ player: `Only-${machine.port}` })
    await Promise.all([player, watcher].map((client) => client.close()))
  }
  await third.kill('SIGTERM')
})

it('does not count a host that forwards the requests of its callers as one caller', async () => {
  const askOften = async (caller: number): Promise<void> => {
    const ask = await openSession(one, `203.0.113.${caller}`)
    for (let times = 0; times < 120; times++) expect((await ask(other, 'ping')).status).toBe(200)
  }
  await Promise.all([1, 2, 3, 4, 5].map(askOften))
})

it('tells a client that joins too often how long to wait, whichever host has its session', async () => {
  const ask = await openSession(one, '198.51.100.1')
  const join = { name: 'dungeon_join', arguments: { name: 'Hasty' } }
  const joinAt = async (machine: RunningSite) => {
    const answer = await ask(machine, 'tools/call', join)
    await answer.text()
    return answer
  }
  for (let times = 0; times < 6; times++) expect((await joinAt(one)).status).toBe(200)
  const answers = []
  for (let times = 0; times < 6; times++) answers.push(await joinAt(other))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('carries the longest message that is allowed to another host', async () => {
  const ask = await openSession(one, '198.51.100.2')
  const long = { _meta: { note: '"'.repeat(32_000) } }
  expect((await ask(one, 'ping', long)).status).toBe(200)
  expect((await ask(other, 'ping', long)).status).toBe(200)
})

it('tells a client of a frozen host to come again, and to begin anew once that host is dead', async () => {
  const third = await start()
  const ask = await openSession(third, '198.51.100.3')
  expect((await ask(other, 'ping')).status).toBe(200)
  third.child.kill('SIGSTOP')
  const waiting = await ask(other, 'ping')
  expect([waiting.status, Number(waiting.headers.get('retry-after'))]).toEqual([503, expect.toSatisfy((s) => s > 0)])
  await third.kill()
  await expect.poll(async () => (await ask(other, 'ping')).status).toBe(404)
  expect(other.output()).not.toContain('POST /mcp')
})

it('lets a spectator of a player at another host change to one at this host, and play', async () => {
  const far = await sitDown(one, 'Farah')
  const near = await sitDown(other, 'Nell')
  const watcher = await openSocket(`ws://127.0.0.1:${other.port}/ws`)
  for (const player of ['Farah', 'Nell', 'Farah']) {
    watcher.send({ type: 'watch', player })
    expect(await watcher.next('watching', 'error')).toMatchObject({ type: 'watching', player })
  }
  // A spectator that asks for an unknown player goes on watching.
  watcher.send({ type: 'watch', player: 'Nobody' })
  expect(await watcher.next('error')).toMatchObject({ code: 'no_such_player' })
  watcher.send({ type: 'ping' })
  expect(await watcher.next('pong', 'error')).toMatchObject({ type: 'pong' })
  watcher.send({ type: 'join', kind: 'human', obs: 'json', name: 'Wim' })
  expect(await watcher.next('welcome', 'error')).toMatchObject({ type: 'welcome', you: { name: 'Wim' } })
  await Promise.all([far, near, watcher].map((client) => client.close()))
})
