import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { z } from 'zod'
import { makeGuardedServer } from '../../src/http/guarded-server.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeSendProblem } from '../../src/http/send-problem.ts'
import { type Timeouts, usualTimeouts } from '../../src/http/watch-connections.ts'
import { figure } from '../support/figures.ts'
import { heldBytes } from '../support/heap.ts'
import { startMoney } from '../support/money.ts'
import { startSite } from '../support/running-site.ts'

const security = makeSecurityHeaders('http://farthing.test')
/** A twentieth of the usual timeouts, and less than that for `answerMs`; in ms. */
const timeouts: Timeouts = { headersMs: 500, requestMs: 750, stallMs: 450, answerMs: 1500, checkEveryMs: 125 }
/** Longer than any of these timeouts, even if a busy machine lets this program wait. */
const hangMs = 15_000

const large = Buffer.alloc(64 * 1024 * 1024)
let server = createServer()
let asked = 0
const sockets = new Set<Socket>()
async function open(within: Timeouts = timeouts): Promise<number> {
  asked = 0
  server = makeGuardedServer({
    security,
    sendProblem: makeSendProblem({ baseUrl: 'http://farthing.test', security }),
    route(req, res) {
      asked++
      const [, what, ms] = (req.url ?? '').split('/')
      const answer = () => {
        if (what === 'large') res.end(large)
        else if (what === 'flood') Readable.from(flood()).pipe(res)
        else if (what === 'stream') Readable.from(trickle(Number(ms))).pipe(res)
        else setTimeout(() => res.end('done'), Number(ms))
      }
      if (req.method === 'GET') answer()
      else
        req
          .on('error', () => {})
          .on('end', answer)
          .resume()
    },
    timeouts: within,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return z.object({ port: z.number() }).parse(server.address()).port
}
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
  server.closeAllConnections()
})

/** Resolves when the server has no connections any more. */
async function isDeserted(): Promise<void> {
  for (let count = 1; count > 0; await delay(20))
    count = await new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)))
}

/** Yields a kilobyte every 100 ms. */
async function* trickle(ms: number) {
  for (let sent = 0; sent < ms; sent += 100) {
    await delay(100)
    yield Buffer.alloc(1024)
  }
}

/** Yields as much as the client takes, without end. */
async function* flood() {
  for (;;) yield Buffer.alloc(1024 * 1024)
}

/** Sends these bytes, with `drips` also a letter every 50 ms; resolves with what came back when the server closes. */
function visit(port: number, head: string, { drips = false, reads = true } = {}): Promise<string> {
  return new Promise((resolve) => {
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head)
      if (drips) dripping = setInterval(() => socket.write('a'), 50)
    })
    sockets.add(socket)
    let answer = ''
    if (reads)
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1')
      })
    else socket.pause()
    socket.on('error', () => {})
    const end = () => {
      clearInterval(dripping)
      socket.destroy()
      resolve(answer)
    }
    socket.on('end', end)
    socket.on('close', end)
  })
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (length: number) => `POST /wait/0 HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

it('drops five hundred slow and silent clients in time, tells them why, and serves others meanwhile', async () => {
  const port = await open()
  const from = performance.now()
  const each = <T>(make: () => T) => Array.from({ length: 125 }, make)
  const slow = [
    ...each(() => visit(port, '')),
    ...each(() => visit(port, 'GET / HTTP/1.1\r\nX-Slow: ', { drips: true })),
    ...each(() => visit(port, post(1_000_000), { drips: true })),
    ...each(() => visit(port, get('/wait/0') + post(1000))),
  ]
  const visits = Promise.all(slow)
  let areGone = false
  void visits.then(() => {
    areGone = true
  })
  let served = 0
  while (!areGone) {
    expect(await (await fetch(`http://127.0.0.1:${port}/wait/0`)).text()).toBe('done')
    if (!areGone) served++
    await delay(10)
  }
  expect(performance.now() - from).toBeLessThan(hangMs)
  expect(served).toBeGreaterThan(0)
  for (const answer of (await visits).slice(0, 375)) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  for (const answer of (await visits).slice(375))
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*done[\s\S]*HTTP\/1\.1 408 /)
})

it('keeps no response in memory for clients that do not read it', async () => {
  const port = await open()
  const before = heldBytes()
  const from = performance.now()
  for (let client = 0; client < 100; client++) void visit(port, get('/large'), { reads: false })
  while (asked < 100) await delay(10)
  await isDeserted()
  expect(performance.now() - from).toBeLessThan(hangMs)
  expect(heldBytes() - before).toBeLessThan(10_000_000)
})

it('closes the connection of a client that reads nothing of an endless stream', async () => {
  const port = await open()
  const from = performance.now()
  void visit(port, get('/flood'), { reads: false })
  while (asked < 1) await delay(10)
  await isDeserted()
  const tookMs = performance.now() - from
  expect(tookMs).toBeGreaterThan(timeouts.stallMs)
  expect(tookMs).toBeLessThan(hangMs)
})

it('limits the time of a client that reads a finished response very slowly', async () => {
  const port = await open()
  const from = performance.now()
  const socket = connect(port, '127.0.0.1', () => socket.write(get('/large')))
  sockets.add(socket.pause().on('error', () => {}))
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes > 2_000_000) socket.pause()
  })
  const reading = setInterval(() => {
    bytes = 0
    socket.resume()
  }, 100)
  while (asked < 1) await delay(10)
  await isDeserted()
  clearInterval(reading)
  const tookMs = performance.now() - from
  expect(tookMs).toBeGreaterThan(timeouts.answerMs)
  expect(tookMs).toBeLessThan(hangMs)
})

it('lets a stream go on as long as it moves, and work as long as it takes', async () => {
  const port = await open()
  const stream = await fetch(`http://127.0.0.1:${port}/stream/1300`)
  const [streamed, worked] = await Promise.all([
    stream.arrayBuffer(),
    fetch(`http://127.0.0.1:${port}/wait/1300`).then((answer) => answer.text()),
  ])
  expect(streamed.byteLength).toBe(13 * 1024)
  expect(worked).toBe('done')
})

it('responds to a slow request although a quick one is behind it on the same connection', async () => {
  const port = await open()
  const answer = await visit(port, get('/wait/1100') + get('/wait/0').replace('Host', 'Connection: close\r\nHost'))
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

it('responds to a request that comes a little after the time that Keep-Alive announced', async () => {
  const socket = connect(await open(usualTimeouts), '127.0.0.1')
  sockets.add(socket)
  let answers = ''
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString()
  })
  const ask = () => socket.write('GET /quick/0 HTTP/1.1\r\nHost: farthing.test\r\n\r\n')
  ask()
  await expect.poll(() => answers).toContain('done')
  const toldSeconds = Number(/^keep-alive: timeout=(\d+)/im.exec(answers)?.[1])
  expect(toldSeconds).toBe(5)
  await delay(toldSeconds * 1000 + 1500)
  answers = ''
  ask()
  await expect.poll(() => answers).toContain('done')
})

it('does not close sockets that were upgraded', async () => {
  const port = await open()
  const upgrades = new WebSocketServer({ noServer: true })
  server.on('upgrade', (req, socket, head) => upgrades.handleUpgrade(req, socket, head, () => {}))
  const client = new WebSocket(`ws://127.0.0.1:${port}/`)
  await once(client, 'open')
  await delay(1100)
  expect(client.readyState).toBe(client.OPEN)
  client.terminate()
  upgrades.close()
})

// It takes twenty seconds, so that it only runs in the deep tests.
if (figure(0, 1) > 0)
  it.each(['src/site/main.ts', 'game-server/host/main.ts'])(
    'drops five hundred such clients of %s within 20 seconds',
    async (program) => {
      const money = await startMoney()
      const service = await startSite({ ...money, program })
      const from = performance.now()
      const slow = Array.from({ length: 500 }, (_, client) =>
        client % 2 === 0
          ? visit(service.port, '')
          : visit(service.port, 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n', { drips: true }),
      )
      let areGone = false
      const visits = Promise.all(slow).finally(() => {
        areGone = true
      })
      while (!areGone) {
        expect((await service.fetch('/healthz')).status).toBe(200)
        await delay(20)
      }
      for (const answer of await visits) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(performance.now() - from).toBeLessThan(20_000)
      await service.kill()
      await money.stop()
    },
  )

it('drops slow clients within 20 seconds with the usual timeouts', () => {
  const { headersMs, requestMs, stallMs, checkEveryMs } = usualTimeouts
  expect(Math.max(headersMs, requestMs) + checkEveryMs + 1000).toBeLessThan(20_000)
  expect(2 * stallMs).toBeLessThan(20_000)
})
