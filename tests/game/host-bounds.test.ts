import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { z } from 'zod'
import { readCommands } from '../../game-server/realms/load-realm.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { makeAddressLimits } from '../../game-server/sockets/address-limits.ts'
import { makeSocketWriter } from '../../game-server/sockets/socket-writer.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openSocket } from '../support/socket-client.ts'

let gameHost: RunningGameHost
afterEach(() => gameHost?.stop())

async function join(name: string, mode?: 'cup'): Promise<string> {
  const joined = await gameHost.dungeon.join({ name, kind: 'agent', mode })
  if (joined.is === 'refused') throw new Error(joined.message)
  return joined.token
}

describe('keys', () => {
  /** How often a key is accepted before the rate limit refuses it. */
  async function countTaken(name: string, key: string): Promise<number> {
    const token = await join(name)
    for (let taken = 0; ; taken++) {
      const seen = await gameHost.dungeon.act(token, key)
      if (seen.is === 'refused') {
        expect(seen.code).toBe('rate_limited')
        return taken
      }
    }
  }

  it('cost five when they walk for many turns, and one when they take a single turn', async () => {
    const at = Date.now()
    gameHost = await startGameHost({ now: () => at, inputLimits: { perSecond: 1, burst: 20 } })
    expect(await countTaken('Ada', '<')).toBe(20)
    // With a monster in sight from the start, "o" does not explore and costs one.
    const explored = await Promise.all(Array.from({ length: 5 }, (_, index) => countTaken(`Bo-${index}`, 'o')))
    expect(Math.min(...explored)).toBeLessThan(20)
  })

  const openCupHouse = (keys: number): Promise<RunningGameHost> => {
    const limits = { keys, at: Number.POSITIVE_INFINITY }
    const cups: CupAccess = {
      enter: async () => ({ is: 'entered', venue: { mode: 'cup', event: 'cup-9', seed: 'ab'.repeat(16) }, limits }),
      isRevealed: async () => false,
    }
    return startGameHost({ cups })
  }

  it('of a cup are all on disk before its runs count as over and are judged', async () => {
    gameHost = await openCupHouse(100)
    const token = await join('Ada', 'cup')
    await expect.poll(gameHost.game.lag).toBe(0)
    const allow = await refuseWrites(gameHost.db, 'insert', 'input_log')
    for (let press = 0; press < 5; press++) expect((await gameHost.dungeon.act(token, '.')).is).toBe('seen')
    expect(await gameHost.game.endCup('cup-9')).toBe(false)
    await allow()
    expect(await gameHost.game.endCup('cup-9')).toBe(true)
    const [life] = await gameHost.db.selectFrom('life').select(['realm', 'commands']).execute()
    expect(life?.commands).toBe(6)
    expect(await readCommands(gameHost.db, life?.realm ?? '')).toHaveLength(6)
  })

  it('end a run of a cup when it has used its maximum number of keys', async () => {
    gameHost = await openCupHouse(5)
    const token = await join('Ada', 'cup')
    for (let press = 0; press < 5; press++) expect((await gameHost.dungeon.act(token, '.')).is).toBe('seen')
    expect(await gameHost.dungeon.act(token, '.')).toMatchObject({ is: 'refused', code: 'dead' })
    const readLives = () => gameHost.db.selectFrom('life').select(['name', 'cause']).execute()
    await expect.poll(readLives).toEqual([{ name: 'Ada', cause: 'ran out of time' }])
  })
})

it('answers every key when a client presses as fast as it is answered, and waits as long as it is told', async () => {
  let clock = Date.now()
  gameHost = await startGameHost({ now: () => clock })
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Ada', kind: 'agent' })
  await client.next('obs')
  for (let n = 1; n <= 600; n++) {
    client.send({ type: 'input', key: '1', n })
    const { type, code, retryAfterMs } = await client.next('obs', 'error')
    if (type === 'error') expect(code).toBe('rate_limited')
    clock += type === 'error' ? Number(retryAfterMs) : 1
  }
  await client.close()
})

it('counts a key that rests for many turns five times, and lets a player who was too fast wait for five keys', async () => {
  gameHost = await startGameHost({ now: () => 0 })
  const token = await join('Ada')
  const session = gameHost.game.findByName('Ada')
  const body = session?.realm.world.players.get(session.player)
  if (!session || !body) throw new Error('Ada does not play')
  session.realm.world.levels.get(1)?.monsters.splice(0)
  const rest = () => {
    body.hp = body.maxHp - 1
    return gameHost.dungeon.act(token, 'R')
  }
  for (let times = 0; times < 8; times++) expect((await rest()).is).toBe('seen')
  expect(await rest()).toMatchObject({ is: 'refused', code: 'rate_limited', retryAfterMs: 250 })
})

it.each([
  { what: 'presses keys of a life that is over', message: { type: 'input', key: '.' }, code: 'dead' },
  { what: 'joins again in the middle of a life', message: { type: 'join', name: 'Bo' }, code: 'already_joined' },
])('refuses a client that $what like a flood, and closes its socket when it goes on', async ({ message, code }) => {
  gameHost = await startGameHost()
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Ada', kind: 'agent' })
  await client.next('obs')
  const session = gameHost.game.findByName('ada')
  if (code === 'dead' && session) session.isOver = true
  for (let time = 0; time < 400; time++) client.send(message)
  expect(await client.closed).toBe(4002)
  const errors = client.frames.filter(({ type }) => type === 'error')
  expect(errors[0]).toMatchObject({ code })
  expect(errors.length).toBeLessThan(150)
})

it('refuses 20 messages at once that press no key, or 100 keys, before it closes the socket', async () => {
  gameHost = await startGameHost({ now: () => 0 })
  const idler = await openSocket(gameHost.wsUrl)
  for (let time = 0; time < 40; time++) idler.send({ type: 'ping' })
  await expect.poll(() => idler.frames.length).toBe(40)
  expect(Object.groupBy(idler.frames, ({ type }) => String(type))).toMatchObject({
    pong: { length: 20 },
    error: { length: 20 },
  })
  idler.send({ type: 'ping' })
  expect(await idler.closed).toBe(4002)

  const player = await openSocket(gameHost.wsUrl)
  player.send({ type: 'join', name: 'Ada', kind: 'agent' })
  await player.next('obs')
  for (let n = 1; n <= 130; n++) player.send({ type: 'input', key: '<', n })
  player.send({ type: 'ping' })
  await player.next('pong')
  for (let n = 131; n <= 141; n++) player.send({ type: 'input', key: '<', n })
  expect(await player.closed).toBe(4002)
})

it('buffers no more than a quarter of a megabyte for a client that reads nothing, and then closes its socket', async () => {
  gameHost = await startGameHost()
  const server = createServer()
  const upgrades = new WebSocketServer({ server, perMessageDeflate: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false })
  const [[socket]] = await Promise.all([once(upgrades, 'connection'), once(client, 'open')])
  if (!(socket instanceof WebSocket)) throw new Error('no socket was opened')
  client.pause()
  const frame = 'x'.repeat(16 * 1024)
  const outlet = makeSocketWriter(socket, Date.now)
  let most = 0
  for (let sent = 0; sent < 4000 && outlet.isOpen(); sent++) {
    outlet.send(frame)
    most = Math.max(most, socket.bufferedAmount)
    if (sent % 50 === 0) await new Promise(setImmediate)
  }
  expect(outlet.isOpen()).toBe(false)
  expect(most).toBeLessThan(256 * 1024 + 2 * frame.length)
  const closed = once(client, 'close')
  client.resume()
  const [code] = await closed
  expect(code).toBe(4003)
  upgrades.close()
  server.close()
  server.closeAllConnections()
})

it('counts open sockets by network, and drops the counts of others, however many come and go', () => {
  let at = 0
  const limits = makeAddressLimits({ exemptsLoopback: false, now: () => at })
  for (let last = 1; last <= 5; last++) expect(limits.open(`2001:db8:0:1::${last}`)).toBe(true)
  expect(limits.open('2001:db8:0:1::6')).toBe(false)
  expect(limits.open('2001:db8:0:2::1')).toBe(true)
  for (let crowd = 0; crowd < 12_000; crowd++) {
    const address = `10.0.${crowd >> 8}.${crowd & 255}`
    expect(limits.open(address)).toBe(true)
    limits.release(address)
    at += 10
  }
  expect(limits.open('2001:db8:0:1::7')).toBe(false)
  limits.release('2001:db8:0:1::1')
  expect(limits.open('2001:db8:0:1::7')).toBe(true)
})

it('cuts off a client that sends many messages while it is being admitted', async () => {
  const { promise: door, resolve } = Promise.withResolvers<{ is: 'closed' }>()
  gameHost = await startGameHost({ cups: { enter: () => door, isRevealed: async () => false } })
  const client = await openSocket(gameHost.wsUrl)
  client.send({ type: 'join', name: 'Ada', mode: 'cup' })
  for (let time = 0; time < 51; time++) client.send({ type: 'input', key: '.' })
  expect(await client.closed).toBe(4002)
  resolve({ is: 'closed' })
})

it('fills a realm with sixteen players at most, who join within half an hour and before one of them is deep', async () => {
  let at = Date.now()
  gameHost = await startGameHost({ now: () => at })
  let crowd = 0
  const enter = async () => {
    const name = `Crowd-${++crowd}`
    await join(name)
    const session = gameHost.game.findByName(name)
    if (!session) throw new Error(`${name} does not play`)
    return session
  }
  const first = await enter()
  for (let place = 2; place <= 16; place++) expect((await enter()).realm).toBe(first.realm)
  const second = await enter()
  expect(second.realm).not.toBe(first.realm)
  at += 30 * 60_000
  expect((await enter()).realm).toBe(second.realm)
  at += 1
  const third = await enter()
  expect(third.realm).not.toBe(second.realm)
  third.deepest = 3
  expect((await enter()).realm).toBe(third.realm)
  third.deepest = 4
  expect((await enter()).realm).not.toBe(third.realm)
})
