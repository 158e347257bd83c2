import { createServer, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readByteRange } from '../../src/http/byte-range.ts'
import { chooseEncoding } from '../../src/http/content-encoding.ts'
import { listen } from '../../src/http/listen.ts'
import { giveRequestId } from '../../src/http/request-id.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeSendProblem } from '../../src/http/send-problem.ts'
import { makeStaticFiles } from '../../src/http/static/static-files.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { figure, seed } from '../support/figures.ts'
import { makeTinyBuild } from '../support/tiny-build.ts'

const page = `<!doctype html><title>About</title>${'<p>Plain and long enough to compress.</p>'.repeat(80)}`
const large = Buffer.from(Array.from({ length: 300 * 1024 }, (_, index) => (index * 31 + (index >> 8)) % 256))
const files = {
  'index.html': '<!doctype html><title>Home</title>',
  'about/index.html': page,
  'about.md': '# About',
  '404.html': '<!doctype html><title>Nothing here</title>',
  '500.html': '<!doctype html><title>Broken</title>',
  'rss.xml': '<rss/>',
  'audio/small.mp3': Buffer.from('0123456789'),
  'audio/large.mp3': large,
  'empty.txt': '',
  'paper.PDF': '%PDF-1.7',
  'skills/x/install': '#!/bin/sh\n',
  '_astro/site.abc123.css': 'body{}',
}
const routeHeaders = new Map([
  ['/skills/x/install', new Headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' })],
  [
    '/rss.xml',
    new Headers({
      'content-type': 'application/rss+xml; charset=utf-8',
      'last-modified': 'Tue, 17 Nov 2026 09:00:00 GMT',
    }),
  ],
])

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
type Ask = (path: string, options?: { method?: string; headers?: Record<string, string> }) => Promise<Answer>

let ask: Ask
let stop: () => void

beforeAll(async () => {
  const { build, remove } = await makeTinyBuild({ files, routeHeaders })
  const security = makeSecurityHeaders('http://farthing.test')
  const sendProblem = makeSendProblem({ baseUrl: 'http://farthing.test', security })
  const { client } = buildFiles(build.folder)
  const served = makeStaticFiles({ client, manifest: build.manifest, security, sendProblem })
  const server = createServer((req, res) => {
    giveRequestId(req)
    if (!served.serve(req, res, req.url ?? '') && !served.serveFailure(req, res, 404)) res.destroy()
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  ask = (path, { method = 'GET', headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path, method, headers }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }))
        res.on('error', reject)
      })
        .on('error', reject)
        .end()
    })
  stop = () => {
    server.close()
    server.closeAllConnections()
    remove()
  }
})
afterAll(() => stop())

describe('static files', () => {
  it('serves the files of the manifest, with the type that their route set', async () => {
    expect((await ask('/')).headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await ask('/skills/x/install')).headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect((await ask('/rss.xml')).headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect((await ask('/about.md')).headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect((await ask('/_astro/site.abc123.css')).headers['cache-control']).toContain('immutable')
  })

  it.each([
    '/about/index.html',
    '/index.html',
    '/about/index.html.br',
    '/404',
    '/404.html',
    '/500',
    '/500.html',
    '/manifest.json',
    '/build.json',
  ])('has no file at %s', async (path) => {
    const { status, body } = await ask(path)
    expect(status).toBe(404)
    expect(body.toString()).toContain('Nothing here')
  })

  it('lets browsers show a PDF, whose viewers need a policy without sandbox', async () => {
    const { headers } = await ask('/paper.PDF')
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-security-policy': "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect((await ask('/empty.txt')).headers['content-security-policy']).toMatch(/default-src 'none'.*; sandbox$/)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const get = await ask('/about')
    const head = await ask('/about', { method: 'HEAD' })
    const same = ({ headers: { date: _date, 'x-request-id': _id, ...others } }: Answer) => others
    expect(same(head)).toEqual(same(get))
    expect(head.body.length).toBe(0)
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s with the list of allowed methods', async (method) => {
    const { status, headers, body } = await ask('/about', { method })
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET, HEAD, OPTIONS')
    expect(JSON.parse(body.toString())).toMatchObject({ type: 'http://farthing.test/problems/method-not-allowed' })
  })

  it('answers a preflight of a document', async () => {
    const { status, headers } = await ask('/rss.xml', { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'access-control-allow-origin': '*' })
    const sent = ['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since']
    expect(`${headers['access-control-allow-headers']}`.split(', ')).toEqual(expect.arrayContaining(sent))
  })

  it('compresses for clients that accept it, with an entity tag of its own', async () => {
    const plain = await ask('/about')
    const br = await ask('/about', { headers: { 'accept-encoding': 'gzip, deflate, br' } })
    const gz = await ask('/about', { headers: { 'accept-encoding': 'gzip' } })
    expect(brotliDecompressSync(br.body).toString()).toBe(page)
    expect(gunzipSync(gz.body).toString()).toBe(page)
    expect(plain.body.toString()).toBe(page)
    expect(new Set([plain, br, gz].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [plain, br, gz]) expect(headers.vary).toContain('Accept-Encoding')
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(br.body.length) })
    expect(br.headers['accept-ranges']).toBeUndefined()
  })

  it.each([
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity, br;q=0.1', 'identity'],
    ['deflate, zstd', 'identity'],
    ['br;q=2', 'identity'],
    ['BR', 'br'],
    ['xbr', 'identity'],
    ['', 'identity'],
    ['br;q=0, gzip;q=0, identity;q=0', 'identity'],
  ])('reads Accept-Encoding %j as %s', (header, expected) => {
    expect(chooseEncoding(header, new Set(['identity', 'br', 'gzip']))).toBe(expected)
  })

  it('answers 304 to a client that has any representation already', async () => {
    for (const encoding of ['identity', 'br', 'gzip']) {
      const headers = { 'accept-encoding': encoding }
      const { etag } = (await ask('/about', { headers })).headers
      for (const tag of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await ask('/about', { headers: { ...headers, 'if-none-match': tag } })
        expect([tag, again.status, again.body.length]).toEqual([tag, 304, 0])
        expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=0, must-revalidate' })
        // A 304 does not repeat headers that describe the content (RFC 9110, 15.4.5).
        for (const name of ['content-length', 'content-type', 'content-encoding'])
          expect(again.headers[name]).toBe(undefined)
        expect(again.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      }
    }
    expect((await ask('/about', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('answers 412 to a request for a part of another version', async () => {
    const { etag } = (await ask('/audio/small.mp3')).headers
    const range = 'bytes=5-'
    const statusOf = async (headers: Record<string, string>, method = 'GET') =>
      (await ask('/audio/small.mp3', { method, headers: { range, ...headers } })).status
    for (const tag of [`${etag}`, `"other", ${etag}`, '*']) expect(await statusOf({ 'if-match': tag })).toBe(206)
    for (const tag of ['"other"', `W/${etag}`]) expect(await statusOf({ 'if-match': tag })).toBe(412)
    expect(await statusOf({ 'if-match': '"other"' }, 'HEAD')).toBe(412)
    // Other conditions count only if the version matches.
    expect(await statusOf({ 'if-match': '"other"', 'if-none-match': '*' })).toBe(412)
    const refused = await ask('/audio/small.mp3', { headers: { 'if-match': '"other"' } })
    expect(refused.headers).toMatchObject({ etag, 'content-type': 'application/problem+json' })
    // A compressed representation has its own entity tag, and ranges are of the plain one.
    const br = await ask('/about', { headers: { 'accept-encoding': 'br' } })
    const part = { 'accept-encoding': 'br', range, 'if-match': `${br.headers.etag}` }
    expect((await ask('/about', { headers: part })).status).toBe(412)
    expect(
      (await ask('/about', { headers: { 'accept-encoding': 'br', 'if-match': `${br.headers.etag}` } })).status,
    ).toBe(200)
  })

  it('compares dates if there is no entity tag', async () => {
    const statusOf = async (headers: Record<string, string>) => (await ask('/rss.xml', { headers })).status
    const [before, at] = ['Mon, 16 Nov 2026 09:00:00 GMT', 'Tue, 17 Nov 2026 09:00:00 GMT']
    expect(await statusOf({ 'if-unmodified-since': before })).toBe(412)
    // Invalid dates are ignored, though lenient parsers accept them.
    for (const date of [at, 'no date', '0', '-1', '2020', '2020-11-16T09:00:00Z', `${before}, ${before}`])
      expect([date, await statusOf({ 'if-unmodified-since': date })]).toEqual([date, 200])
    expect(await statusOf({ 'if-unmodified-since': before, 'if-match': '*' })).toBe(200)
  })

  it('sends a dated file to a client with another date, even a later one, because an older build may be served again', async () => {
    const statusOf = async (since: string) =>
      (await ask('/rss.xml', { headers: { 'if-modified-since': since } })).status
    expect(await statusOf('Tue, 17 Nov 2026 09:00:00 GMT')).toBe(304)
    for (const same of ['Tuesday, 17-Nov-26 09:00:00 GMT', 'Tue Nov 17 09:00:00 2026'])
      expect([same, await statusOf(same)]).toEqual([same, 304])
    const others = ['Mon, 16 Nov 2026 09:00:00 GMT', 'Tue, 17 Nov 2026 10:00:00 GMT', 'no date', '2026-11-17T09:00:00Z']
    for (const other of others) expect([other, await statusOf(other)]).toEqual([other, 200])
  })

  it('serves the markdown alternate to clients that ask for markdown', async () => {
    const { headers, body } = await ask('/about', { headers: { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' } })
    expect(body.toString()).toBe('# About')
    expect(headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8', 'content-location': '/about.md' })
    expect(headers.vary).toContain('Accept')
    for (const accept of ['*/*', 'text/html', 'text/html, text/markdown;q=0.5', 'text/markdown;q=0']) {
      const other = await ask('/about', { headers: { accept } })
      expect([accept, other.headers['content-type']]).toEqual([accept, 'text/html; charset=utf-8'])
      expect(other.headers).toMatchObject({ vary: 'Accept, Accept-Encoding' })
      expect(other.headers.link).toContain('</about.md>; rel="alternate"')
    }
    expect((await ask('/about.md')).headers.link).toBe('</about>; rel="canonical"')
  })
})

describe('byte ranges', () => {
  const size = 10
  it.each([
    ['bytes=0-4', '01234'],
    ['bytes=5-', '56789'],
    ['bytes=-3', '789'],
    ['bytes=9-9', '9'],
    ['bytes=0-99999999', '0123456789'],
    ['bytes=-99', '0123456789'],
    ['BYTES=2-3', '23'],
  ])('answers %s with that range', async (range, expected) => {
    const { status, headers, body } = await ask('/audio/small.mp3', { headers: { range } })
    expect([status, body.toString()]).toEqual([206, expected])
    expect(headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(expected.length) })
    expect(headers['content-range']).toMatch(/^bytes \d+-\d+\/10$/)
  })

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'])('refuses %s', async (range) => {
    const { status, headers } = await ask('/audio/small.mp3', { headers: { range } })
    expect([status, headers['content-range']]).toEqual([416, `bytes */${size}`])
  })

  it.each([
    'bytes=5-2',
    'bytes=-',
    'bytes=',
    'bytes',
    'items=0-1',
    'bytes=0-1,3-4',
    'bytes=a-b',
    'bytes=1',
    'bytes=--1',
  ])('ignores %j and sends the whole file', async (range) => {
    const { status, body } = await ask('/audio/small.mp3', { headers: { range } })
    expect([status, body.length]).toEqual([200, size])
  })

  it('sends the whole file if If-Range names another version or a date', async () => {
    const { etag } = (await ask('/audio/small.mp3')).headers
    const range = 'bytes=0-0'
    expect((await ask('/audio/small.mp3', { headers: { range, 'if-range': `${etag}` } })).status).toBe(206)
    for (const condition of ['"old"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT'])
      expect((await ask('/audio/small.mp3', { headers: { range, 'if-range': condition } })).status).toBe(200)
  })

  it('sends ranges of the plain file even to clients that accept brotli', async () => {
    const { status, headers, body } = await ask('/about', { headers: { range: 'bytes=0-14', 'accept-encoding': 'br' } })
    expect([status, body.toString(), headers['content-encoding']]).toEqual([206, '<!doctype html>', undefined])
  })

  it('ignores a range on HEAD', async () => {
    const { status, headers } = await ask('/audio/small.mp3', { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect([status, headers['content-length']]).toEqual([200, '10'])
  })

  it('has no range for an empty file', async () => {
    expect((await ask('/empty.txt')).status).toBe(200)
    expect((await ask('/empty.txt', { headers: { range: 'bytes=0-' } })).status).toBe(416)
    expect((await ask('/empty.txt', { headers: { range: 'bytes=-5' } })).status).toBe(416)
  })

  it('returns the same ranges as slicing the file, from memory and from disk', async () => {
    const bound = fc.oneof(fc.integer({ min: 0, max: large.length + 10 }), fc.constant(undefined))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/audio/small.mp3', '/audio/large.mp3'), bound, bound, async (path, a, b) => {
        const whole = path.endsWith('large.mp3') ? large : files['audio/small.mp3']
        const { status, headers, body } = await ask(path, { headers: { range: `bytes=${a ?? ''}-${b ?? ''}` } })
        if (a === undefined && b === undefined) return status === 200 && body.equals(whole)
        if (a !== undefined && b !== undefined && b < a) return status === 200 && body.equals(whole)
        const expected =
          a === undefined
            ? b === 0
              ? whole.subarray(0, 0)
              : whole.subarray(-(b ?? 0))
            : whole.subarray(a, b === undefined ? undefined : b + 1)
        if (expected.length === 0) return status === 416 && headers['content-range'] === `bytes */${whole.length}`
        const start = a ?? whole.length - expected.length
        const range = `bytes ${start}-${start + expected.length - 1}/${whole.length}`
        return status === 206 && body.equals(expected) && headers['content-range'] === range
      }),
      { numRuns: figure(300, 10_000), ...seed },
    )
  })

  it('never reads past the end of the file, whatever the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'bytes=0123456789-, ') }), fc.nat(1000), (header, size) => {
        const range = readByteRange(header, size)
        return range.is !== 'part' || (range.start >= 0 && range.start <= range.end && range.end < size)
      }),
    )
  })
})
