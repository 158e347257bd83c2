import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { anyCharacter } from '../support/any-text.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { heldBytes } from '../support/heap.ts'
import { openSocket, type SocketClient } from '../support/socket-client.ts'

const frames = figure(5000, 100_000)
const framesPerSocket = 80
const keptBytes = 20e6

let gameHost: RunningGameHost
let witness: SocketClient
let presses = 0
beforeAll(async () => {
  gameHost = await startGameHost()
  witness = await openSocket(gameHost.wsUrl)
  witness.send({ type: 'join', name: 'Witness', kind: 'agent' })
  await witness.next('obs')
})
afterAll(async () => {
  await witness.close()
  await gameHost.stop()
})

/** Checks that a player who plays all the time is answered within a second. */
async function expectServed(): Promise<void> {
  const n = ++presses
  const askedAt = performance.now()
  witness.send({ type: 'input', key: 'east', n })
  const answered = await witness.next('obs')
  expect(answered['ack']).toBe(n)
  expect(performance.now() - askedAt).toBeLessThan(1000)
}

const words = ['join', 'input', 'watch', 'say', 'ping', 'leave', 'type', 'name', 'key', 'n', 'if', 'resumeToken', 'o']
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...words, null, true, -1, Number.MAX_VALUE, 2 ** 53, 0.5, '', '__proto__', 'Ada'),
  fc.string({ maxLength: 60, unit: anyCharacter }),
  fc.array(fc.constantFrom<unknown>(0, 'east', null), { maxLength: 3 }),
)
const frame = fc.oneof(
  fc
    .dictionary(fc.constantFrom(...words, 'kind', 'obs', 'mode', 'text', 'player', '__proto__'), value)
    .map((fields) => JSON.stringify(fields)),
  fc
    .record({ type: fc.constantFrom('join', 'input', 'say', 'watch'), key: value, name: value, n: value, text: value })
    .map((fields) => JSON.stringify(fields)),
  fc.string({ maxLength: 200 }),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    '{',
    '[]',
    '"',
    '{"type":',
    '\u0000',
    '{"type":"input","key":"o"}',
    '{"type":"join","name":"Fuzz"}',
  ),
)

it(`survives ${frames} frames of nonsense, answers everybody else and keeps nothing of them`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  const { seed: given } = { seed: undefined, ...seed }
  let heldAtFirst = 0
  for (let sent = 0; sent < frames; sent += framesPerSocket) {
    // Measured only now, because the first sockets allocate what is made once.
    if (sent === 2 * framesPerSocket) heldAtFirst = heldBytes()
    const texts = fc.sample(frame, { numRuns: framesPerSocket, ...(given !== undefined && { seed: given + sent }) })
    const client = await openSocket(gameHost.wsUrl)
    for (const [at, text] of texts.entries()) client.socket.send(at % 10 === 9 ? Buffer.from(text) : text)
    if (sent % 5000 === 0) await expectServed()
    client.socket.terminate()
    await client.closed
  }
  await expectServed()
  expect(gameHost.noted).toEqual([])
  // Messages that were sent before a socket closed are still read, one in each turn of the event loop.
  await expect.poll(() => gameHost.sockets.count()).toBe(1)
  expect(heldBytes() - heldAtFirst).toBeLessThan(keptBytes)
})

it('closes a socket at once on frames that break the WebSocket protocol', async () => {
  for (const bytes of [
    // Not masked, a reserved bit, an unknown opcode, an impossible length, a continuation of nothing.
    [0x81, 0x02, 0x68, 0x69],
    [0xf1, 0x80, 0, 0, 0, 0],
    [0x83, 0x80, 0, 0, 0, 0],
    [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
    [0x80, 0x80, 0, 0, 0, 0],
  ]) {
    const socket = await openRaw(handshake())
    await once(socket, 'data')
    socket.write(Buffer.from(bytes))
    await once(socket, 'close')
  }
  await expectServed()
})

it('closes a socket that floods it with frames or with pings', async () => {
  const flooding = await openSocket(gameHost.wsUrl)
  for (let time = 0; time < 500; time++) flooding.send({ type: 'ping' })
  expect(await flooding.closed).toBe(4002)
  const pinging = await openSocket(gameHost.wsUrl)
  for (let time = 0; time < 500; time++) pinging.socket.ping()
  expect(await pinging.closed).toBe(4002)
  await expectServed()
})

it('closes a socket whose client reads nothing while messages pile up', async () => {
  const generous = await startGameHost({ inputLimits: { perSecond: 1e9, burst: 1e9 } })
  const slow = await openSocket(generous.wsUrl)
  slow.send({ type: 'join', name: 'Slow', kind: 'agent' })
  await slow.next('obs')
  slow.socket.pause()
  const gone = expect.poll(() => generous.sockets.count()).toBe(0)
  for (let press = 0; press < 20_000 && generous.sockets.count() > 0; press++) {
    slow.send({ type: 'input', key: 'look' })
    slow.send({ type: 'input', key: 'east' })
    if (press % 500 === 0) await delay(1)
  }
  await gone
  slow.socket.terminate()
  await generous.stop()
})

it('serves others beside 500 half-open sockets', async () => {
  const halves = await Promise.all(
    Array.from({ length: 500 }, (_, at) => openRaw(handshake().slice(0, 20 + (at % 120)))),
  )
  await expectServed()
  for (const socket of halves) socket.destroy()
  await expectServed()
})

/** Checks that the host refuses to open a socket with 429. */
async function expectTooMany(url: string): Promise<void> {
  const socket = new WebSocket(url)
  const [, response]: unknown[] = await once(socket, 'unexpected-response')
  expect(response).toMatchObject({ statusCode: 429 })
  socket.on('error', () => {})
  socket.terminate()
}

it('lets an address open ten sockets at once, and one more every two seconds', async () => {
  let at = 0
  const strict = await startGameHost({ exemptsLoopback: false, now: () => at })
  for (let time = 0; time < 10; time++) await (await openSocket(strict.wsUrl)).close()
  await expectTooMany(strict.wsUrl)
  at += 2000
  await (await openSocket(strict.wsUrl)).close()
  await expectTooMany(strict.wsUrl)
  await strict.stop()
})

it('lets an address have five sockets open and join ten times a minute', async () => {
  const strict = await startGameHost({ exemptsLoopback: false })
  const clients = await Promise.all(Array.from({ length: 5 }, () => openSocket(strict.wsUrl)))
  await expectTooMany(strict.wsUrl)
  const [first] = clients
  for (let time = 0; time < 11; time++) first?.send({ type: 'join', name: 'not a name' })
  for (let time = 0; time < 10; time++) expect(await first?.next('error')).toMatchObject({ code: 'bad_name' })
  expect(await first?.next('error')).toMatchObject({ code: 'rate_limited' })
  await first?.close()
  const again = await openSocket(strict.wsUrl)
  await Promise.all([again, ...clients.slice(1)].map((client) => client.close()))
  await strict.stop()
})

const handshake = (): string =>
  [
    'GET /ws HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '',
    '',
  ].join('\r\n')

async function openRaw(first: string): Promise<Socket> {
  const socket = connect(Number(new URL(gameHost.wsUrl).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(first)
  return socket
}
