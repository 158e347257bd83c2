import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeLimiter } from '../../src/http/limiter.ts'
import { listen } from '../../src/http/listen.ts'
import { makeRateLimits, usualLimits } from '../../src/http/rate-limits.ts'
import { openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import { noServicesBut, unused } from '../support/no-services.ts'
import { serveFront } from '../support/serve-front.ts'
import { makeTinyBuild } from '../support/tiny-build.ts'

const clock = { ms: 0 }
const asked: string[] = []
let known: () => Promise<boolean> = async () => false

const limiter = makeLimiter({
  limits: makeRateLimits({
    exemptsLoopback: false,
    now: () => clock.ms,
    limits: {
      free: { perSecond: 2, burst: 4 },
      quotes: { perSecond: 1, burst: 3 },
      'failed-payments': { perSecond: 0.5, burst: 2 },
    },
  }),
  addressOf: ({ headers }) => String(headers['x-from']),
  isKnownPayment: () => known(),
})

let port: number
let stop: () => void
beforeAll(async () => {
  const { build, remove } = await makeTinyBuild({ files: { 'index.html': '<!doctype html><title>Home</title>' } })
  const episodes = await openEpisodeStore(join(build.folder, 'audio'), [])
  const server = serveFront({
    build,
    // Stands for the endpoints: refuses a payment unless it is `good`, and computes a price for a body.
    handler: async (req, res) => {
      asked.push(`${req.method} ${req.url}`)
      const isPaid = req.headers['payment-signature'] !== undefined
      const isFree = req.url?.startsWith('/api/') ?? false
      if (req.headers['payment-signature'] === 'left') await once(req.socket, 'close')
      res.writeHead(isFree || req.headers['payment-signature'] === 'good' ? 200 : 402)
      res.end(isPaid ? 'paid' : 'exact')
    },
    services: noServicesBut(episodes),
    quotes: {
      headers: { 'content-type': 'application/json' },
      find: ({ url }) => (url === '/paid' ? { header: 'terms', body: '"advertised"' } : undefined),
      sells: (_, path) => path === '/paid',
    },
    limiter,
    isBlocked: () => false,
    clientAddress: () => '',
    routes: [{ path: '/healthz', handlers: { GET: (_, res) => void res.writeHead(200).end() } }],
    log: () => {},
    signal: new AbortController().signal,
  })
  port = (await listen(server, { host: '127.0.0.1', port: 0 })).port
  stop = () => {
    server.close()
    server.closeAllConnections()
    episodes.close()
    remove()
  }
})
afterAll(() => stop())

let from = 0
beforeEach(() => {
  from++
  asked.length = 0
  known = async () => false
})

const ask = (path: string, init: { method?: string; body?: string; payment?: string; from?: string } = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-from': init.from ?? `198.51.100.${from}`,
      ...(init.payment !== undefined && { 'payment-signature': init.payment }),
    },
    ...(init.body !== undefined && { body: init.body }),
  })

async function statuses(count: number, path: string, init: Parameters<typeof ask>[1] = {}): Promise<number[]> {
  const all: number[] = []
  for (let request = 0; request < count; request++) all.push((await ask(path, init)).status)
  return all
}

describe('free routes', () => {
  it('answer the burst of an address, refuse the rest before any work, and others are served meanwhile', async () => {
    expect(await statuses(6, '/api/stats.json')).toEqual([200, 200, 200, 200, 429, 429])
    expect(asked).toHaveLength(4)
    expect((await ask('/api/stats.json', { from: '203.0.113.1' })).status).toBe(200)
  })

  it('say in every answer how much is left, and in a refusal when to come again', async () => {
    const first = await ask('/api/stats.json')
    expect(first.headers.get('ratelimit')).toBe('"free";r=3;t=1')
    expect(first.headers.get('ratelimit-policy')).toBe('"free";q=4;w=2')
    await statuses(3, '/healthz')
    const refused = await ask('/api/stats.json')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit')).toBe('"free";r=0;t=2')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toEqual({
      type: 'http://farthing.test/problems/rate-limited',
      title: 'Too many requests',
      status: 429,
      detail: 'Your address asked too often; ask again in a second',
      instance: `urn:request:${refused.headers.get('x-request-id')}`,
      retryable: true,
    })
    clock.ms += 1000
    expect((await ask('/api/stats.json')).status).toBe(200)
  })

  it('do not share their limit with built files, which are never refused', async () => {
    await statuses(5, '/api/stats.json')
    expect(await statuses(10, '/')).toEqual(Array.from({ length: 10 }, () => 200))
  })
})

describe('a price', () => {
  it('is quoted however often an address asks', async () => {
    expect(await statuses(20, '/paid')).toEqual(Array.from({ length: 20 }, () => 402))
    expect(asked).toEqual([])
  })

  it('is computed for a body up to the limit; beyond it the body is not read and the advertised price is quoted', async () => {
    const bodies: string[] = []
    for (let request = 0; request < 5; request++) {
      const answer = await ask('/paid', { body: '{}' })
      expect(answer.status).toBe(402)
      bodies.push(await answer.text())
    }
    expect(bodies).toEqual(['exact', 'exact', 'exact', '"advertised"', '"advertised"'])
    expect(asked).toHaveLength(3)
  })

  it('counts as a request when it depends on a query, and is refused beyond the limit', async () => {
    expect(await statuses(5, '/paid?inspect=1')).toEqual([402, 402, 402, 429, 429])
    expect((await ask('/paid', { method: 'HEAD' })).status).toBe(402)
  })

  it('does not count toward the limits of free routes and payments', async () => {
    await statuses(10, '/paid', { body: '{}' })
    expect((await ask('/api/stats.json')).status).toBe(200)
    expect((await ask('/paid', { payment: 'good' })).status).toBe(200)
  })
})

describe('a payment', () => {
  it('is never refused while payments succeed', async () => {
    expect(await statuses(10, '/paid', { payment: 'good' })).toEqual(Array.from({ length: 10 }, () => 200))
  })

  it('has to wait when too many failed, says that nothing was charged, and is accepted after the wait', async () => {
    expect(await statuses(3, '/paid', { payment: 'bad' })).toEqual([402, 402, 429])
    const refused = await ask('/paid', { payment: 'good' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(refused.headers.get('ratelimit')).toBe('"failed-payments";r=0;t=4')
    expect(await refused.json()).toMatchObject({ charged: false, retryable: true })
    expect(asked).toHaveLength(2)
    clock.ms += 2000
    expect((await ask('/paid', { payment: 'good' })).status).toBe(200)
  })

  it('counts when it failed, whether or not its sender waited for the response', async () => {
    const failing = `GET /paid HTTP/1.1\r\nHost: a\r\nX-From: 198.51.100.${from}\r\nPayment-Signature: left\r\n\r\n`
    for (let request = 1; request <= 2; request++) {
      const socket = connect(port, '127.0.0.1', () => socket.write(failing))
      await expect.poll(() => asked.length).toBe(request)
      socket.destroy()
    }
    await expect.poll(async () => (await ask('/paid', { payment: 'good' })).status).toBe(429)
  })

  it('counts when its sender leaves while the counts of other programs are awaited', async () => {
    const limits = makeRateLimits({
      exemptsLoopback: false,
      now: () => clock.ms,
      limits: { ...usualLimits, 'failed-payments': { perSecond: 0.5, burst: 1 } },
    })
    const others = Promise.withResolvers<void>()
    const hearing = makeLimiter({
      limits,
      addressOf: () => '198.51.100.1',
      isKnownPayment: async () => false,
      hear: () => others.promise,
    })
    const admitted = Promise.withResolvers<number>()
    const server = createServer((req, res) => {
      res.once('close', () => others.resolve())
      Promise.resolve(hearing.admit(req, res, 'payment')).then(admitted.resolve, admitted.reject)
    })
    const { port: itsPort } = await listen(server, { host: '127.0.0.1', port: 0 })
    const socket = connect(itsPort, '127.0.0.1', () => socket.write('GET /paid HTTP/1.1\r\nHost: a\r\n\r\n'))
    await once(server, 'request')
    socket.destroy()
    await admitted.promise
    expect(limits.look('198.51.100.1', 'failed-payments')?.waitMs).toBeGreaterThan(0)
    server.close()
  })

  it('is always accepted when the ledger knows it, or cannot be asked', async () => {
    await statuses(3, '/paid', { payment: 'bad' })
    known = async () => true
    expect(await statuses(3, '/paid', { payment: 'good' })).toEqual([200, 200, 200])
    known = unused
    expect((await ask('/paid', { payment: 'good' })).status).toBe(200)
  })

  it('buys no way past the limits of what is free', async () => {
    expect(await statuses(5, '/api/stats.json', { payment: 'good' })).toEqual([200, 200, 200, 200, 429])
  })
})
