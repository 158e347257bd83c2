import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listen } from '../../src/http/listen.ts'
import { toNodeHandle } from '../../src/http/node-handle.ts'
import { openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import type { AstroHandler } from '../../src/site/astro-handler.ts'
import { noLimits } from '../support/no-limits.ts'
import { noServicesBut } from '../support/no-services.ts'
import { getRaw, sendRaw } from '../support/raw-http.ts'
import { serveFront } from '../support/serve-front.ts'
import { makeTinyBuild } from '../support/tiny-build.ts'

const files = {
  'index.html': '<!doctype html><title>Home</title>',
  'about/index.html': '<!doctype html><title>About</title>',
  'posts/café/index.html': '<!doctype html><title>Café</title>',
  'llms-full-sample.txt': 'free',
  '404.html': '<!doctype html><title>Nothing here</title>',
  '500.html': '<!doctype html><title>Broken</title>',
  'audio/a.mp3': '0123456789',
}

/** Stands for Astro: responds by path, on some of them badly. */
const handler: AstroHandler = async (req, res, next, { services }) => {
  const path = req.url?.split('?')[0]
  switch (path) {
    case '/api/echo': {
      const { host, ...headers } = req.headers
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ host, forwarded: Object.keys(headers).filter((name) => /forward|real-ip/.test(name)) }))
      return
    }
    case '/api/problem': {
      const problem = services.problem('invalid-input')
      res.writeHead(problem.status, Object.fromEntries(problem.headers))
      res.end(await problem.text())
      return
    }
    case '/api/own':
      res.writeHead(200, ['Content-Type', 'text/html', 'Content-Security-Policy', "default-src 'self'"]).end('x')
      return
    case '/api/implicit':
      res.setHeader('content-type', 'text/plain')
      res.write('a')
      res.end('b')
      return
    case '/api/throws':
      throw new Error('secret detail')
    case '/api/empty-500':
      res.writeHead(500, {})
      res.end()
      return
    case '/api/text-500':
      res.statusCode = 500
      res.end('Internal Server Error: secret detail')
      return
    case '/receipts/x':
      res.writeHead(500, { 'content-type': 'text/html' }).write('<p>by Astro')
      res.end('</p>')
      return
    case '/api/reads':
      for await (const _chunk of req);
      res.writeHead(200).end()
      return
    case '/api/breaks-off':
      res.writeHead(200, { 'content-type': 'text/plain' }).write('half')
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('secret detail')
    case '/api/next-error':
      next(new Error('secret detail'))
      return
    case '/api/x402/paid':
      res.writeHead(402, { 'content-type': 'application/json' }).end(JSON.stringify({ by: 'gate' }))
      return
    case '/paywall':
      res.writeHead(402, { 'content-type': 'text/html; charset=utf-8' }).end('<p>pay</p>')
      return
    default:
      next()
  }
}

const logged: { requestId: string; error: string }[] = []

async function openFront(baseUrl = 'http://farthing.test') {
  const { build, remove } = await makeTinyBuild({ files, baseUrl })
  const episodes = await openEpisodeStore(join(build.folder, 'audio'), [])
  const server = serveFront({
    build,
    handler,
    services: noServicesBut(episodes),
    quotes: {
      headers: { 'content-type': 'application/json' },
      find: ({ url }) => (url === '/api/x402/paid' ? { header: 'terms', body: '{"by":"quote"}' } : undefined),
      sells: () => false,
    },
    limiter: noLimits,
    isBlocked: () => false,
    redirects: new Map([
      ['/2019/caf%C3%A9', '/about'],
      ['/about', '/'],
    ]),
    routes: [
      { path: '/healthz', handlers: { GET: toNodeHandle(() => Response.json({ ok: true })) } },
      { path: '/readyz', handlers: { GET: toNodeHandle(() => Promise.reject(new Error('no ledger'))) } },
      {
        path: '/oauth/:name',
        handlers: { GET: (req, res) => void res.writeHead(200).end(JSON.stringify(req.headers)) },
        crossOriginHeaders: 'X-Own',
      },
    ],
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    log: (_event, fields) => logged.push(fields),
    signal: new AbortController().signal,
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const close = () => {
    episodes.close()
    server.close()
    server.closeAllConnections()
    remove()
  }
  return { port, server, close }
}

let front: Awaited<ReturnType<typeof openFront>>
let port: number
beforeAll(async () => {
  front = await openFront()
  port = front.port
})
afterAll(() => front.close())

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

it('redirects a former address to the current one, with the query, and hides no page behind one', async () => {
  const moved = await ask('/2019/caf%C3%A9?t=7')
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/about?t=7'])
  expect((await ask('/2019/caf%C3%A9', { method: 'HEAD' })).status).toBe(308)
  // Most programs that people move from end addresses with a slash.
  const slashed = await ask('/2019/caf%C3%A9/?t=7')
  expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '/about?t=7'])
  expect((await ask('/2019/caf%C3%A9', { method: 'POST' })).status).toBe(404)
  expect((await ask('/2019/caf%C3%A9/', { method: 'POST' })).status).toBe(404)
  expect((await ask('/about')).status).toBe(200)
  expect((await ask('/about/')).headers.get('location')).toBe('/about')
})

describe('every response', () => {
  const surfaces = [
    ['/', html, 200],
    ['/nothing', html, 404],
    ['/nothing', {}, 404],
    ['/about/', {}, 308],
    ['/audio/a.mp3', {}, 200],
    ['/audio/a.mp3', { headers: { range: 'bytes=99-' } }, 416],
    ['/about', { method: 'POST' }, 405],
    ['/healthz', {}, 200],
    ['/readyz', {}, 500],
    ['/healthz', { method: 'POST' }, 405],
    ['/api/x402/paid', {}, 402],
    ['/api/echo', {}, 200],
    ['/api/implicit', {}, 200],
    ['/api/problem', {}, 400],
    ['/api/throws', {}, 500],
    ['/api/next-error', {}, 500],
    ['/%61', {}, 404],
    [`/${'a'.repeat(9000)}`, {}, 414],
  ] as const

  it.each(surfaces)('carries its security headers and a request id: %s %j', async (path, init, status) => {
    const answer = await ask(path, init)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('strict-transport-security')).toBeNull()
    expect(answer.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests')
    expect([...answer.headers.keys()]).not.toContain('x-powered-by')
    await answer.arrayBuffer()
  })

  it('has the Content-Security-Policy of its kind', async () => {
    const policy = async (path: string) => (await ask(path)).headers.get('content-security-policy')
    expect(await policy('/')).toContain("script-src 'self'; style-src 'self'")
    expect(await policy('/')).not.toContain('unsafe')
    expect(await policy('/paywall')).toContain("form-action 'none'")
    expect(await policy('/api/echo')).toContain('sandbox')
    expect(await policy('/api/own')).toBe("default-src 'self'")
  })

  it('has HSTS only where the public address has TLS', async () => {
    const secure = await openFront('https://farthing.test')
    try {
      const { headers } = await getRaw(secure.port, '/')
      expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
      expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
    } finally {
      secure.close()
    }
  })
})

describe('methods', () => {
  it.each([
    ['/about', 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/audio/any.mp3', 'GET, HEAD, OPTIONS'],
    ['/oauth/x', 'GET, HEAD, OPTIONS'],
  ])('are listed for OPTIONS and for a wrong method: %s', async (path, allow) => {
    const [asked, erred] = [await ask(path, { method: 'OPTIONS' }), await ask(path, { method: 'PUT' })]
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, allow])
    expect([erred.status, erred.headers.get('allow')]).toEqual([405, allow])
  })

  it('are listed for pages of other origins with the headers that they may send, except for HTML pages', async () => {
    const sends = async (path: string) =>
      (await ask(path, { method: 'OPTIONS' })).headers.get('access-control-allow-headers')
    expect(await Promise.all(['/healthz', '/oauth/x', '/about'].map(sends))).toEqual([
      expect.stringContaining('PAYMENT-SIGNATURE'),
      'X-Own',
      null,
    ])
  })
})

describe('paths', () => {
  it.each([
    '//about',
    '/./about',
    '/x/../about',
    '/%61bout',
    '/about;a=1',
    '/about%00',
    '/\\about',
    '/about%2F',
    '/api//x402/paid',
    '/api/x402/paid/',
    '/api/x402/%70aid',
    '/api/x402/paid%00',
    '/api/x402/./paid',
    '/api/x402/paid;',
    '/about//',
    '/audio/a.mp3/',
  ])('have no other spelling: %s', async (target) => {
    const { status, headers, body } = await getRaw(port, target)
    expect([target, status]).toEqual([target, 404])
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status: 404, instance: `urn:request:${headers['x-request-id']}` })
  })

  it('of pages lose one trailing slash by a redirect, which keeps the query', async () => {
    const { status, headers } = await ask('/about/?t=12')
    expect([status, headers.get('location')]).toEqual([308, '/about?t=12'])
    expect((await ask('/about/', { method: 'POST' })).status).toBe(404)
  })

  it('that are former addresses redirect to the current one, however another program spelled them', async () => {
    for (const spelled of ['/2019/caf%C3%A9/', '/2019/caf%c3%a9', '/2019/caf%c3%a9/'])
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(`${spelled}?t=12`, { method })
        expect([spelled, status, headers.get('location')]).toEqual([spelled, 308, '/about?t=12'])
      }
    expect((await ask('/2019/caf%C3%A9/', { method: 'POST' })).status).toBe(404)
    expect((await ask('/2019/caf%C3%A9//')).status).toBe(404)
  })

  it('with accented letters redirect to the page from any Unicode form of them', async () => {
    // The form in which the macOS Finder copies names: a letter and a combining mark (NFD).
    for (const [spelled, page] of [
      ['/posts/cafe%CC%81?t=12', '/posts/caf%C3%A9?t=12'],
      ['/posts/cafe%CC%81/', '/posts/caf%C3%A9'],
      ['/2019/cafe%CC%81', '/about'],
    ] as const) {
      const { status, headers } = await ask(spelled)
      expect([spelled, status, headers.get('location')]).toEqual([spelled, 308, page])
    }
    expect((await ask('/posts/caf%C3%A9')).status).toBe(200)
    expect((await ask('/posts/cafe%CC%81x')).status).toBe(404)
  })

  it.each([
    'http://user@farthing.test/about',
    'http:///about',
    'http:/about',
    'http://far thing.test/about',
    'http://farthing.test#/about',
    'ftp://farthing.test/about',
    'file:///about',
    '*',
    'about',
  ])('refuses the target %s', async (target) => {
    expect((await getRaw(port, target)).status).toBe(400)
  })

  it.each([
    ['http://farthing.test', '/about'],
    ['HTTPS://Elsewhere.test:8443', '/about'],
    ['http://[::1]:80', '/about?a=//x'],
    ['http://farthing.test', '/nothing'],
    ['http://farthing.test', '//about'],
    ['http://farthing.test', '/x/../about'],
    ['http://farthing.test', '/%61bout'],
    ['http://farthing.test', '/about#x'],
    ['http://farthing.test', '/api/x402/paid'],
    ['http://farthing.test', '/api//x402/paid'],
  ])('in absolute form are handled like %s%s without the host, as programs send it to proxies', async (host, path) => {
    const told = ({ status, headers, body }: Awaited<ReturnType<typeof getRaw>>) => {
      const { date: _date, 'x-request-id': id = 'none', ...rest } = headers
      return { status, rest, body: body.replaceAll(id, 'id') }
    }
    expect(told(await getRaw(port, host + path))).toEqual(told(await getRaw(port, path)))
  })

  it('of a host alone are handled like the first page', async () => {
    const statusOf = async (target: string) => (await getRaw(port, target)).status
    const first = await statusOf('/')
    expect([await statusOf('http://farthing.test'), await statusOf('http://farthing.test?a=1')]).toEqual([first, first])
  })

  it('that do not exist show people the 404 page, and programs a problem', async () => {
    const shown = await ask('/nothing', html)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await shown.text()).toContain('Nothing here')
    for (const [path, init] of [
      ['/api/nothing', html],
      ['/nothing.json', html],
      ['/nothing', {}],
      ['/404', {}],
    ] as const) {
      const { status, headers } = await ask(path, init)
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'application/problem+json'])
    }
    expect((await ask('/nothing', { ...html, method: 'POST' })).headers.get('content-type')).toBe(
      'application/problem+json',
    )
  })

  it('that do not exist take no more time when they have many dots', async () => {
    const timeOf = async (path: string): Promise<number> => {
      const from = performance.now()
      for (let asked = 0; asked < 12; asked++) expect((await ask(path, html)).status).toBe(404)
      return performance.now() - from
    }
    const usual = await timeOf(`/_${'x'.repeat(8000)}/a`)
    expect(await timeOf(`/_${'.'.repeat(8000)}/a`)).toBeLessThan(5 * usual + 500)
  })

  it("of Astro's own endpoints cannot be reached", async () => {
    expect((await ask('/_image?href=x')).status).toBe(404)
    expect((await ask('/_server-islands/x')).status).toBe(404)
  })
})

describe('the precomputed 402', () => {
  const by = async (path: string, init: RequestInit = {}) => (await (await ask(path, init)).json()).by
  it('is used only for requests without body, query and payment', async () => {
    expect(await by('/api/x402/paid')).toBe('quote')
    expect(await by('/api/x402/paid', { method: 'POST' })).toBe('quote')
    expect(await by('/api/x402/paid?inspect=1')).toBe('gate')
    expect(await by('/api/x402/paid', { method: 'POST', body: '{}' })).toBe('gate')
    expect(await by('/api/x402/paid', { headers: { 'payment-signature': 'x' } })).toBe('gate')
    expect(await by('/api/x402/paid', { headers: { 'x-payment': 'x' } })).toBe('gate')
  })
  it('is not used under any other spelling, which is refused', async () => {
    expect((await getRaw(port, '/api/x402/paid/')).status).toBe(404)
  })
})

describe('the host of a request', () => {
  it.each([
    ['GET /about HTTP/1.1\r\n\r\n', 'no Host'],
    ['GET http://a/about HTTP/1.1\r\n\r\n', 'a host in the target alone'],
    ['GET http://a/about HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 'two Hosts beside a host in the target'],
    ['GET /about HTTP/1.0\r\nHost: a/b\r\n\r\n', 'a slash in HTTP/1.0'],
    ['GET /about HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'two Hosts'],
    ['GET /about HTTP/1.1\r\nHost: a b\r\n\r\n', 'a space'],
    ['GET /about HTTP/1.1\r\nHost: a/b\r\n\r\n', 'a slash'],
    ['GET /about HTTP/1.1\r\nHost: user@a\r\n\r\n', 'a user'],
    ['GET /about HTTP/1.1\r\nHost: a:99999999\r\n\r\n', 'a long port'],
    ['GET /about HTTP/1.1\r\nHost: \r\n\r\n', 'an empty Host'],
  ])('refuses %j (%s)', async (request) => {
    const { status, headers } = await sendRaw(port, request)
    expect(status).toBe(400)
    expect(headers['x-request-id']).toBeDefined()
  })

  it('may be missing in HTTP/1.0, by which load balancers check whether a server lives', async () => {
    for (const path of ['/about', '/healthz', '/api/x402/paid']) {
      const { status } = await sendRaw(port, `GET ${path} HTTP/1.0\r\n\r\n`)
      expect([path, status]).toEqual([path, (await getRaw(port, path)).status])
    }
  })

  it('has no effect on OPTIONS *, which lists the methods of the server', async () => {
    const { status, headers } = await sendRaw(port, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect([status, headers['allow']]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    expect(headers['x-request-id']).toBeDefined()
  })

  it.each([
    'farthing.test',
    'localhost:4321',
    'LOCALHOST',
    '127.0.0.1:1',
    '[::1]:4321',
    'a_b.internal',
    'farthing.test.',
  ])('may be %s', async (host) => {
    expect((await getRaw(port, '/about', { Host: host })).status).toBe(200)
  })

  it('does not change the response, and neither do the headers of proxies', async () => {
    const lies = {
      Host: 'evil.test',
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Port': '1',
      'X-Real-IP': '6.6.6.6',
      Forwarded: 'for=6.6.6.6;host=evil.test',
    }
    for (const path of ['/', '/about', '/nothing', '/about/', '/api/echo', '/api/x402/paid']) {
      const [honest, lying] = [await getRaw(port, path), await getRaw(port, path, lies)]
      const strip = ({ text, headers }: typeof honest) =>
        text.replaceAll(headers['x-request-id'] ?? '-', '').replace(/^date:.*$/im, '')
      expect(strip(lying)).toBe(strip(honest))
    }
    expect(JSON.parse((await getRaw(port, '/api/echo', lies)).body)).toEqual({ host: 'farthing.test', forwarded: [] })
    const { host, ...headers } = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse((await getRaw(port, '/oauth/x', lies)).body))
    const told = Object.entries(headers).filter(([name]) => /forward|real-ip/.test(name))
    expect([host, Object.fromEntries(told)]).toEqual([
      'farthing.test',
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
    ])
  })
})

describe('the HTTP parser', () => {
  it.each([
    ['TRACE /about HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['NONSENSE / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['garbage\r\n\r\n', 400],
    ['GET / HTTP/1.1\nHost: a\n\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n', 400],
    ['POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    ['POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(33 * 1024)}\r\n\r\n`, 431],
  ])('refuses %j', async (request, status) => {
    const answer = await sendRaw(port, request)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('closes a connection with its thousandth response', async () => {
    const requests = 'HEAD /about HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1010)
    const { text } = await sendRaw(port, requests, { waitMs: 5000, untilClosed: true })
    expect(text.match(/^HTTP\/1.1 200 OK/gm)).toHaveLength(1000)
    expect(text.match(/^Connection: close/gm)).toHaveLength(1)
    expect(text).not.toContain('HTTP/1.1 503')
  })

  it('accepts headers up to 32 KiB', async () => {
    expect((await getRaw(port, '/', { X: 'a'.repeat(30 * 1024) })).status).toBe(200)
  })

  it('ignores an unknown expectation', async () => {
    expect((await getRaw(port, '/about', { Expect: 'the-unexpected' })).status).toBe(200)
  })
})

describe('a route that breaks', () => {
  it.each(['/api/throws', '/api/empty-500', '/api/text-500', '/api/next-error', '/readyz'])(
    'gets a problem without details: %s',
    async (path) => {
      logged.length = 0
      const { status, headers, body } = await getRaw(port, path)
      expect([status, headers['content-type']]).toEqual([500, 'application/problem+json'])
      expect(body).not.toContain('secret')
      const requestId = headers['x-request-id'] ?? ''
      expect(JSON.parse(body)).toMatchObject({
        type: 'http://farthing.test/problems/internal-error',
        instance: `urn:request:${requestId}`,
      })
      expect(logged.map((fields) => fields.requestId)).toEqual([requestId])
    },
  )

  it('is shown to people as the page for errors', async () => {
    const { status, headers, body } = await getRaw(port, '/receipts/x', { Accept: 'text/html' })
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      500,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(body).toBe(files['500.html'])
    expect((await getRaw(port, '/receipts/x')).headers['content-type']).toBe('application/problem+json')
  })

  it('is cut off when its response had begun, so that a part of it is not taken for the whole', async () => {
    await expect(ask('/api/breaks-off').then((answer) => answer.text())).rejects.toThrow()
  })

  it('is not logged when the client leaves in the middle of a body', async () => {
    logged.length = 0
    const head = 'POST /api/reads HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n'
    await sendRaw(port, `${head}half`, { waitMs: 50 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(logged).toEqual([])
  })

  it('gives problems of a route the id of the request', async () => {
    const { headers, body } = await getRaw(port, '/api/problem')
    expect(JSON.parse(body)).toMatchObject({ status: 400, instance: `urn:request:${headers['x-request-id']}` })
  })
})
