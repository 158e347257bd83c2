import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { processCpuMsOf, usualCpuMs } from '../support/cpu-ms.ts'
import { openPretendWeb, type PretendPage, type PretendWeb } from '../support/pretend-web.ts'
import { watchFetch } from '../support/watched-fetch.ts'

const host = 'stranger.example'
const url = `https://${host}/`
const good = '93.184.216.34'
const inside = new Set(['db.example'])

let web: PretendWeb
beforeAll(async () => {
  web = await openPretendWeb({ 'elsewhere.example': { '*': 'elsewhere' } })
})
afterAll(() => web.close())
afterEach(() => web.fail(host, undefined))

const watch = () => watchFetch(web, { findAddresses: async (name) => [inside.has(name) ? '10.0.0.1' : good] })
const serve = (page: PretendPage, more: Record<string, PretendPage> = {}) => web.serve(host, { '/': page, ...more })
const speak = (text: string | ((socket: TLSSocket) => void)) =>
  web.fail(host, {
    is: 'spoken',
    speak: typeof text === 'string' ? (socket) => socket.end(text) : text,
  })
const to = (location: string, status = 302): PretendPage => ({ status, headers: { location } })
const withHeaders = (body: Uint8Array, encoding: string): PretendPage => ({
  headers: { 'content-encoding': encoding },
  body,
})
/** Calls `step` every so many ms until the connection is closed. */
const drip = (response: ServerResponse | TLSSocket, everyMs: number, step: () => void) => {
  const timer = setInterval(step, everyMs)
  response.on('close', () => clearInterval(timer))
}

describe('a redirect', () => {
  it.each([
    ['an address', 'https://127.0.0.1/secret'],
    ['an address of cloud metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['another scheme', 'http://elsewhere.example/'],
    ['another port', 'https://elsewhere.example:8443/'],
    ['a name with a private address', 'https://db.example/'],
    ['an address with a password', 'https://a:b@elsewhere.example/'],
    ['an address, relative to the scheme', '//127.0.0.1/'],
    ['something nine kilobytes long', `/${'a'.repeat(9000)}`],
    ['no URL at all', 'https://['],
    ['a service of ours', 'https://facilitator.example/settle'],
  ])('is not followed to %s', async (_, location) => {
    serve(to(location))
    const { failure, dialled, sockets } = watch()
    expect([await failure(url), dialled, sockets()]).toEqual(['refused', [`${good}:443`], 1])
  })

  it('cannot carry a header into the next request', async () => {
    speak(
      'HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/x\r\nX-Injected: 1\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n',
    )
    await watch().get(url)
    expect(web.asked.at(-1)).toEqual({
      host: 'elsewhere.example',
      path: '/x',
      headers: {
        host: 'elsewhere.example',
        'user-agent': 'FarthingTest/1.0',
        accept: 'text/html',
        'accept-encoding': 'gzip, br',
        connection: 'close',
      },
    })
  })

  it.each([301, 302, 303, 307, 308])('is followed when its status is %i', async (status) => {
    serve(to('/there?x=1#y', status), { '/there?x=1': 'arrived' })
    const { get } = watch()
    expect(await get(url)).toMatchObject({ status: 200, redirects: 1, url: `${url}there?x=1` })
  })

  it.each(['//elsewhere.example/a', 'https://elsewhere.example/a', 'HTTPS://ELSEWHERE.example:443/a'])(
    'may lead to another public name: %s',
    async (location) => {
      serve(to(location))
      expect((await watch().get(url)).url).toBe('https://elsewhere.example/a')
    },
  )

  it.each([
    ['UTF-8', Buffer.from('/größe?é'), '/gr%C3%B6%C3%9Fe?%C3%A9'],
    ['the single bytes of old servers', Buffer.from('/größe', 'latin1'), '/gr%C3%B6%C3%9Fe'],
  ])('whose address is written in %s is followed as browsers follow it', async (_, location, path) => {
    serve(to(location.toString('latin1')), { [path]: 'arrived' })
    expect(await watch().get(url)).toMatchObject({ status: 200, url: `https://${host}${path}` })
  })

  it('is followed without reading the page that comes with it to its end', async () => {
    let isGone = false
    serve(
      (_, response) => {
        response.writeHead(302, { location: '/there' })
        drip(response, 1, () => response.write('moved'))
        response.on('close', () => {
          isGone = true
        })
      },
      { '/there': 'arrived' },
    )
    const { get } = watch()
    expect(await get(url, { deadlineMs: 120_000 })).toMatchObject({ status: 200 })
    await expect.poll(() => isGone).toBe(true)
  })

  it('is followed three times, not four, and not in a circle', async () => {
    serve(to('/1'), { '/1': to('/2'), '/2': to('/3'), '/3': 'arrived', '/4': to('/'), '/circle': to('/circle') })
    const { get, failure, dialled } = watch()
    expect(await get(url)).toMatchObject({ redirects: 3, url: `${url}3` })
    expect(dialled).toHaveLength(4)
    expect([await failure(`${url}4`), await failure(`${url}circle`)]).toEqual([
      'too-many-redirects',
      'too-many-redirects',
    ])
    expect(dialled).toHaveLength(12)
  })

  it('is not seen without a Location header, in a page, or with another status', async () => {
    const page = '<meta http-equiv="refresh" content="0;url=https://127.0.0.1/">'
    serve({ status: 302, body: page }, { '/choices': to('https://127.0.0.1/', 300) })
    const { get } = watch()
    expect(await get(url)).toMatchObject({ status: 302, redirects: 0 })
    expect(await get(`${url}choices`)).toMatchObject({ status: 300, redirects: 0 })
  })
})

describe('a body', () => {
  const text = 'some words, '.repeat(500)
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['gzip, gzip, gzip, gzip, gzip', [1, 2, 3, 4, 5].reduce((body) => gzipSync(body), Buffer.from(text))],
  ])('is decoded from %s', async (encoding, body) => {
    serve(withHeaders(body, encoding))
    const { body: got, isCut } = await watch().get(url)
    expect([Buffer.from(got).toString(), isCut]).toEqual([text, false])
  })

  it('is not asked for in deflate, which servers write in two ways', async () => {
    serve(({ headers }, response) => {
      const name = String(headers['accept-encoding']).includes('deflate') ? 'deflate' : 'gzip'
      response.writeHead(200, { 'content-encoding': name })
      response.end(name === 'deflate' ? deflateRawSync(text) : gzipSync(text))
    })
    expect(Buffer.from((await watch().get(url)).body).toString()).toBe(text)
  })

  it.each([
    ['six encodings', 'gzip, gzip, gzip, gzip, gzip, gzip', gzipSync(text)],
    ['an encoding that was not asked for', 'zstd', gzipSync(text)],
    ['bytes that are not in their encoding', 'br', gzipSync(text)],
  ])('with %s is malformed', async (_, encoding, body) => {
    serve(withHeaders(body, encoding))
    expect(await watch().failure(url)).toBe('malformed')
  })

  it('is cut at the number of bytes that were wanted, and not before', async () => {
    serve('x'.repeat(1000))
    const { get } = watch()
    expect(await get(url, { maxBytes: 999 })).toMatchObject({ isCut: true, body: { length: 999 } })
    expect(await get(url, { maxBytes: 1000 })).toMatchObject({ isCut: false, body: { length: 1000 } })
  })

  const mostCpuMs = 250
  const zeros = Buffer.alloc(64 * 1024 * 1024)
  it.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros, { params: { 1: 5 } })],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
  ])('of 64 MB in a few bytes of %s is decoded only up to the limit, and fast', async (encoding, body) => {
    serve(withHeaders(body, encoding))
    const ms = await usualCpuMs(mostCpuMs, () =>
      processCpuMsOf(async () => {
        const got = await watch().get(url, { maxBytes: 2_000_000 })
        expect(got).toMatchObject({ isCut: true, body: { length: 2_000_000 } })
      }),
    )
    expect(ms).toBeLessThan(mostCpuMs)
  })

  it('is returned as it was sent where the wish keeps its encoding, cut little above the limit', async () => {
    const sent = gzipSync(text)
    serve(withHeaders(sent, 'gzip'))
    const kept = await watch().get(url, { keepsEncoding: true })
    expect(kept).toMatchObject({ isCut: false, encoding: 'gzip' })
    expect(Buffer.from(kept.body).equals(sent)).toBe(true)
    serve(withHeaders(randomBytes(100_000), 'gzip'))
    const allowanceBytes = 64 * 1024
    expect(await watch().get(url, { keepsEncoding: true, maxBytes: 1000 })).toMatchObject({
      isCut: true,
      body: { length: 1000 + allowanceBytes },
    })
  })

  it.each(['', 'identity'])('with the encoding "%s" has none that could be kept', async (encoding) => {
    serve(withHeaders(Buffer.from('x'.repeat(1000)), encoding))
    const got = await watch().get(url, { keepsEncoding: true, maxBytes: 999 })
    expect(got).toMatchObject({ isCut: true, body: { length: 999 } })
    expect(got).not.toHaveProperty('encoding')
  })

  it('that grows between two encodings and shrinks again is malformed', async () => {
    const nothings = gzipSync(Buffer.concat(Array<Buffer>(200_000).fill(gzipSync(''))))
    serve(withHeaders(nothings, 'gzip, gzip'))
    expect(await watch().failure(url, { maxBytes: 2_000_000 })).toBe('malformed')
  })

  it('without an end is cut, and the connection is closed', async () => {
    let isGone = false
    serve((_, response) => {
      const more = () => response.write('x'.repeat(10_000))
      drip(response, 1, more)
      response.on('close', () => {
        isGone = true
      })
    })
    expect(await watch().get(url)).toMatchObject({ isCut: true, body: { length: 100_000 } })
    await expect.poll(() => isGone).toBe(true)
  })

  it.each([
    ['shorter than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 'malformed'],
    ['with a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\nx', 'malformed'],
    ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 'malformed'],
    ['with a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n', 'malformed'],
    ['without the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n', 'malformed'],
  ])('%s is malformed', async (_, answer, reason) => {
    speak(answer)
    expect(await watch().failure(url)).toBe(reason)
  })

  it('longer than its Content-Length is read up to that length', async () => {
    speak('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\nsecond answer')
    expect(Buffer.from((await watch().get(url)).body).toString()).toBe('ok')
  })

  it('that breaks off is malformed', async () => {
    speak((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
      setTimeout(() => socket.destroy(), 20)
    })
    expect(await watch().failure(url)).toBe('malformed')
  })

  it.each(['image/png', 'text/html; charset=utf-7', 'text/html; charset=utf-16', ''])(
    'is handed on as bytes, whatever type it claims: %j',
    async (type) => {
      const body = Buffer.from([0, 255, 254, 27, 91, 0xe2, 0x80, 0xae])
      serve({ headers: { 'content-type': type }, body })
      expect(Buffer.from((await watch().get(url)).body)).toEqual(body)
    },
  )
})

describe('a slow server', () => {
  it.each([
    [
      'a byte of the body',
      (socket: TLSSocket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        drip(socket, 50, () => socket.write('x'))
      },
    ],
    [
      'a byte of a header',
      (socket: TLSSocket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Long: ')
        drip(socket, 50, () => socket.write('x'))
      },
    ],
    ['nothing', () => {}],
  ])('that sends %s at a time is given up at the deadline', async (_, speaks) => {
    speak(speaks)
    const from = performance.now()
    expect(await watch().failure(url, { deadlineMs: 600 })).toBe('timeout')
    expect(performance.now() - from).toBeLessThan(1500)
  })

  it('that redirects again and again has one deadline for all of it', async () => {
    const later =
      (location: string): PretendPage =>
      (_, response) => {
        setTimeout(() => response.writeHead(302, { location }).end(), 300)
      }
    serve(later('/1'), { '/1': later('/2'), '/2': later('/3'), '/3': 'arrived' })
    expect(await watch().failure(url, { deadlineMs: 700 })).toBe('timeout')
  })

  it('that never finishes its handshake is given up after five seconds', async () => {
    web.fail(host, { is: 'plain', speak: () => {} })
    const from = performance.now()
    expect(await watch().failure(url, { deadlineMs: 20_000 })).toBe('unreachable')
    expect(performance.now() - from).toBeLessThan(8000)
  })

  it('is given up at once when the caller aborts', async () => {
    speak(() => {})
    const gone = new AbortController()
    setTimeout(() => gone.abort(new Error('the buyer left')), 50)
    await expect(watch().get(url, { signal: gone.signal })).rejects.toThrow('the buyer left')
  })
})

describe('a server that does not keep to the protocol', () => {
  const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  it.each([
    ['a hundred kilobytes of headers', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 'malformed'],
    ['thousands of headers', `HTTP/1.1 200 OK\r\n${'X-More: x\r\n'.repeat(5000)}\r\n`, 'malformed'],
    ['a thousand hints', `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)}${hello}`, 'malformed'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 'malformed'],
    ['the oldest HTTP', '<html>just a page', 'malformed'],
    ['garbage', '\0\u0001\u0002 SSH-2.0\r\n', 'malformed'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'malformed'],
    ['nothing', '', 'unreachable'],
  ])('and sends %s makes the request fail', async (_, answer, reason) => {
    speak(answer)
    expect(await watch().failure(url)).toBe(reason)
  })

  it('may send a few 103 Early Hints first', async () => {
    speak(`${'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(2)}${hello}`)
    expect(await watch().get(url)).toMatchObject({ status: 200, body: { length: 2 } })
  })

  it('has its headers kept in lower case, those of one name joined', async () => {
    speak('HTTP/1.1 404 Gone\r\nLINK: <a>\r\nLink: <b>\r\n__proto__: x\r\nContent-Length: 0\r\n\r\n')
    const { status, headers } = await watch().get(url)
    expect([status, headers.get('link'), headers.get('__proto__')]).toEqual([404, '<a>, <b>', 'x'])
  })
})

describe('a certificate', () => {
  it.each([
    ['expired', () => web.ca.certify(host, 'expired')],
    ['signed by itself', () => web.ca.certify(host, 'self-signed')],
    ['for another name', () => web.ca.certify('elsewhere.example')],
  ])('that is %s is not trusted', async (_, certify) => {
    web.fail(host, { is: 'certificate', certified: certify() })
    const before = web.asked.length
    expect([await watch().failure(url), web.asked.length]).toEqual(['certificate', before])
  })

  it('is missing where a server speaks plain HTTP', async () => {
    web.fail(host, { is: 'plain', speak: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n') })
    expect(await watch().failure(url)).toBe('certificate')
  })
})

describe('a test host of the sandbox', () => {
  const ours = (pages: PretendWeb = web) =>
    watchFetch(web, {
      test: { hosts: pages.testHosts('alpha.test'), caFile: web.caFile },
      findAddresses: async () => ['127.0.0.1'],
    })

  it('is found without DNS at the address that was configured', async () => {
    web.serve('alpha.test', { '/': 'the test page' })
    const { get, dialled } = ours()
    expect(Buffer.from((await get('https://alpha.test/')).body).toString()).toBe('the test page')
    expect(dialled).toEqual([`127.0.0.1:${web.port}`])
  })

  it.each([
    'https://beta.alpha.test/',
    'https://127.0.0.1/',
    'https://alpha.test:8443/',
    'http://alpha.test/',
    'https://db.example/',
  ])('leads nowhere else by a redirect: %s', async (location) => {
    web.serve('alpha.test', { '/': to(location) })
    const { failure, dialled } = ours()
    expect(await failure('https://alpha.test/')).toBe('refused')
    expect(dialled).toEqual([`127.0.0.1:${web.port}`])
  })

  it('is trusted only with a certificate of its own authority', async () => {
    const elsewhere = await openPretendWeb({ 'alpha.test': { '/': 'an impostor' } })
    expect(await ours(elsewhere).failure('https://alpha.test/')).toBe('certificate')
    await elsewhere.close()
  })
})
