import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readByteRange } from '../../src/http/byte-range.ts'
import { listen } from '../../src/http/listen.ts'
import { type EpisodeStore, openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import type { Build } from '../../src/storage/build-folder.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { heldBytes } from '../support/heap.ts'
import { noLimits } from '../support/no-limits.ts'
import { noServicesBut } from '../support/no-services.ts'
import { serveFront } from '../support/serve-front.ts'
import { makeTinyBuild } from '../support/tiny-build.ts'

const storageKey = 'a-post-0123456789abcdef'
const sound = randomBytes(3_000_017)
const long = randomBytes(24_000_000)
const longKey = 'long-post-0123456789abcdef'
const etag = `"0123456789abcdef-${sound.length}"`
const url = `/audio/${storageKey}.mp3`

const stopping = new AbortController()
let store: EpisodeStore
let folder: string
let port: number
let stop: () => void
let startAgain: () => ReturnType<typeof serve>

/** Starts a site with the narrations in the folder. */
async function serve(build: Build, signal: AbortSignal) {
  const episodes = await openEpisodeStore(folder, [
    { slug: 'a-post', storageKey },
    { slug: 'long-post', storageKey: longKey },
  ])
  const server = serveFront({
    build,
    handler: async (_req, res) => void res.writeHead(599).end(),
    services: noServicesBut(episodes),
    quotes: { headers: {}, find: () => undefined, sells: () => false },
    limiter: noLimits,
    isBlocked: () => false,
    routes: [],
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    log: () => {},
    signal,
  })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  const close = () => {
    server.close()
    server.closeAllConnections()
    episodes.close()
  }
  return { episodes, port: listening.port, close }
}

beforeAll(async () => {
  const { build, remove } = await makeTinyBuild({ files: { '404.html': '<p>Nothing here' } })
  folder = join(build.folder, 'audio')
  const site = await serve(build, stopping.signal)
  store = site.episodes
  port = site.port
  startAgain = () => serve(build, new AbortController().signal)
  const about = { title: 'A post', language: 'en', voiceId: 'v', durationMs: 1, createdAt: '2026-01-01T00:00:00Z' }
  const of = (key: string, slug: string, { length }: Buffer) => ({
    ...about,
    storageKey: key,
    slug,
    sizeBytes: length,
    cues: [],
    chapters: [],
  })
  await store.keep(of(storageKey, 'a-post', sound), sound)
  await store.keep(of(longKey, 'long-post', long), long)
  writeFileSync(join(folder, 'secret-0123456789abcdef.mp3'), 'no episode')
  stop = () => {
    site.close()
    remove()
  }
})
afterAll(() => stop())

const agent = new Agent({ keepAlive: true, maxSockets: 16 })
afterAll(() => agent.destroy())

const ask = (headers: Record<string, string> = {}, path = url, method = 'GET', at = port) =>
  new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port: at, path, method, headers, agent }, (res) => {
        const answer = { status: res.statusCode ?? 0, headers: res.headers }
        res.toArray().then((chunks: Buffer[]) => resolve({ ...answer, body: Buffer.concat(chunks) }), reject)
      })
        .on('error', reject)
        .end()
    },
  )

describe('a narration', () => {
  it('is sent whole, and can be cached for good and read in parts from any origin', async () => {
    const { status, headers, body } = await ask()
    expect([status, body.equals(sound)]).toEqual([200, true])
    expect(headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(sound.length),
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      etag,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringMatching(/Content-Length, Content-Range, Accept-Ranges/),
      'x-request-id': expect.any(String),
    })
    const head = await ask({ range: 'bytes=0-9' }, url, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(sound.length), 0])
  })

  it('is sent in part on request', async () => {
    const { status, headers, body } = await ask({ range: 'bytes=5-8' })
    expect([status, body]).toEqual([206, sound.subarray(5, 9)])
    expect(headers).toMatchObject({ 'content-range': `bytes 5-8/${sound.length}`, 'content-length': '4', etag })
    expect((await ask({ range: 'bytes=-3' })).body).toEqual(sound.subarray(-3))
  })

  it('gets a 416 with its length for a range beyond its end', async () => {
    const { status, headers } = await ask({ range: `bytes=${sound.length}-` })
    expect([status, headers['content-range'], headers['content-type']]).toEqual([
      416,
      `bytes */${sound.length}`,
      'application/problem+json',
    ])
  })

  it.each(['bytes=9-5', 'bytes=a-b', 'bytes=0-1,5-6', 'items=0-1', 'bytes=-', 'nonsense'])(
    'is sent whole when the range is not valid: %s',
    async (range) => {
      expect((await ask({ range })).status).toBe(200)
    },
  )

  it('is sent whole when If-Range names another version, and not again when the client has it', async () => {
    const range = 'bytes=0-0'
    const seen = [etag, '"other"', `W/${etag}`, 'Sat, 01 Jan 2028 00:00:00 GMT']
    const statuses = await Promise.all(seen.map(async (tag) => (await ask({ range, 'if-range': tag })).status))
    expect(statuses).toEqual([206, 200, 200, 200])
    expect((await ask({ 'if-none-match': etag })).status).toBe(304)
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it.each([
    '/audio/unknown-0123456789abcdef.mp3',
    '/audio/secret-0123456789abcdef.mp3',
    `/audio/${storageKey}`,
    `/audio/${storageKey}.json`,
    `/audio/${storageKey}.mp3.mp3`,
    `/audio/x/${storageKey}.mp3`,
    '/audio/__proto__.mp3',
  ])('that does not exist is a problem: %s', async (path) => {
    const { status, headers } = await ask({ accept: 'text/html' }, path)
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json'])
  })

  it('allows only GET, HEAD and OPTIONS', async () => {
    const { status, headers } = await ask({}, url, 'POST')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const preflight = await ask({ origin: 'https://player.test' }, url, 'OPTIONS')
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      expect.stringContaining('Range'),
    ])
  })
})

/** The first and the last byte of a requested range, either of which may be absent. */
type Asked = readonly [first: number | undefined, last: number | undefined]

/** What a requested range is by RFC 9110: the whole file, beyond its end, or the bytes from `from` to before `to`. */
function slice([first, last]: Asked, size: number): 'whole' | 'beyond' | readonly [from: number, to: number] {
  if (first === undefined && last === undefined) return 'whole'
  if (first === undefined) return last === 0 ? 'beyond' : [Math.max(0, size - (last ?? 0)), size]
  if (last !== undefined && last < first) return 'whole'
  return first >= size ? 'beyond' : [first, Math.min(last ?? size - 1, size - 1) + 1]
}
const toText = ([first, last]: Asked) => `bytes=${first ?? ''}-${last ?? ''}`

describe('ranges', () => {
  it('are read as RFC 9110 defines them (100,000 of them)', () => {
    const place = fc.option(fc.oneof(fc.nat(64), fc.nat(2 ** 31)), { nil: undefined })
    const range = fc.tuple(
      place,
      place,
      fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 2 ** 31 })),
    )
    fc.assert(
      fc.property(range, ([first, last, size]) => {
        const expected = slice([first, last], size)
        const text = toText([first, last])
        const read = readByteRange(text, size)
        const found =
          read.is === 'part' ? [read.start, read.end + 1].join() : read.is === 'unsatisfiable' ? 'beyond' : read.is
        // A call of `expect` takes longer than the rest.
        if (found !== String(expected)) throw new Error(`${text} of ${size} is ${JSON.stringify(read)}`)
      }),
      { numRuns: 100_000, ...seed },
    )
  })

  it(`are slices of the file: ${figure(1000, 100_000)} of them`, { timeout: limitMs(600_000, 600_000) }, async () => {
    const size = sound.length
    const first = fc.oneof(fc.nat(size - 1), fc.integer({ min: size - 5000, max: size + 5 }))
    const part = fc.tuple(first, fc.nat(8192)).map(([from, length]) => [from, from + length] satisfies Asked)
    const suffix = fc.nat(8192).map((length) => [undefined, length] satisfies Asked)
    const tail = fc.integer({ min: size - 8192, max: size + 5 }).map((from) => [from, undefined] satisfies Asked)
    const ranges = fc.sample<Asked>(fc.oneof(part, suffix, tail), { numRuns: figure(1000, 100_000), ...seed })
    const lane = async () => {
      for (let range = ranges.pop(); range; range = ranges.pop()) {
        const expected = slice(range, size)
        const { status, body } = await ask({ range: toText(range) })
        if (typeof expected === 'string') expect([toText(range), status]).toEqual([toText(range), 416])
        else expect([status, body.equals(sound.subarray(...expected))]).toEqual([206, true])
      }
    }
    await Promise.all(Array.from({ length: 16 }, lane))
  })
})

/** Requests the long file over a socket of its own, and reads no further than the first bytes. */
async function listenSlowly(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /audio/${longKey}.mp3 HTTP/1.1\r\nHost: farthing.test\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

describe('slow listeners', () => {
  it('take little memory, 200 at once, and get the whole file in the end', async () => {
    ;(await listenSlowly()).destroy()
    const before = heldBytes()
    const sockets = await Promise.all(Array.from({ length: 200 }, listenSlowly))
    await wait(1000)
    // Each one is sent a file of 24 MB, of which a few hundred kilobytes are in flight.
    expect((heldBytes() - before) / sockets.length).toBeLessThan(800_000)
    // The others may be cut off on a busy machine, as a client that reads nothing for nine seconds is.
    const patient = await listenSlowly()
    await wait(500)
    for (const socket of sockets) socket.destroy()
    const hash = createHash('sha256')
    let skipped = false
    let left = long.length
    for await (const chunk of patient) {
      const bytes: Buffer = chunk
      const sent = skipped ? bytes : bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
      skipped = true
      hash.update(sent)
      left -= sent.length
      if (left <= 0) break
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(long).digest('hex'))
  })

  it('are cut off when the site stops, and continue by range where they were when it runs again', async () => {
    const socket = await listenSlowly()
    const closed = once(socket, 'close')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    stopping.abort()
    socket.resume()
    await closed
    expect(socket.bytesRead).toBeLessThan(long.length)
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n')
    const heard = answer.subarray(end + 4)
    const [, version = ''] = /^etag: (.+)$/im.exec(answer.subarray(0, end).toString()) ?? []
    const again = await startAgain()
    try {
      const headers = { range: `bytes=${heard.length}-`, 'if-range': version.trim() }
      const { status, body } = await ask(headers, `/audio/${longKey}.mp3`, 'GET', again.port)
      expect([status, heard.length > 0, Buffer.concat([heard, body]).equals(long)]).toEqual([206, true, true])
    } finally {
      again.close()
    }
  })
})

it('a narration whose file was deleted breaks off rather than be shorter than its Content-Length', async () => {
  rmSync(join(folder, `${storageKey}.mp3`))
  await expect(ask({ range: 'bytes=0-9' })).rejects.toThrow()
  await store.refresh()
  expect((await ask()).status).toBe(404)
})
