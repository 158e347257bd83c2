import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toAtom } from '../../src/feeds/atom.ts'
import type { Channel } from '../../src/feeds/feed-post.ts'
import { toJsonFeed } from '../../src/feeds/json-feed.ts'
import { toRss } from '../../src/feeds/rss.ts'
import { postFeeds, toHubLinks } from '../../src/feeds/websub/name-hubs.ts'
import { pingHub } from '../../src/feeds/websub/ping-hub.ts'
import { type HubsTold, makeHubWork } from '../../src/feeds/websub/tell-hubs.ts'
import { toServedFeeds } from '../../src/site/open-audience.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { openTestLedger } from '../support/test-databases.ts'

const baseUrl = 'https://press.example'
const minute = 60_000
const start = Date.UTC(2026, 10, 24)
const never = new AbortController().signal

/** A hub on loopback: it accepts everything except what `faults` does to its next requests. */
async function openHub() {
  const told: string[] = []
  const faults: RequestListener[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const fields = new URLSearchParams(body)
      told.push(`${request.method} ${request.url} ${fields.get('hub.mode')} ${fields.get('hub.url')}`)
      const fault = faults.shift()
      if (fault) fault(request, response)
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hub`,
    told,
    faults,
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('the hubs of the feeds', () => {
  let hub: Awaited<ReturnType<typeof openHub>>
  let db: LedgerDatabase
  const clock = { ms: start }
  beforeAll(async () => {
    hub = await openHub()
  })
  afterAll(() => hub.close())
  beforeEach(async () => {
    hub.told.length = 0
    clock.ms = start
    db = await openTestLedger()
  })
  afterEach(() => db.destroy())

  const feeds = (builtAt: number, tags: Readonly<Record<string, string>>) => ({
    builtAt,
    tags: new Map(Object.entries(tags)),
  })
  const open = (hubs: readonly string[] = [hub.url]) =>
    makeHubWork({
      ...{ db, hubs, baseUrl, now: () => clock.ms },
      ping: (url, feed, { signal }) => pingHub(url, feed, { signal, deadlineMs: 500 }),
    })
  const run = ({ work }: ReturnType<typeof open>): Promise<HubsTold> => work(never, async () => {})
  const asked = (feed: string) => `POST /hub publish ${baseUrl}${feed}`

  it('are notified of each feed once, and then only of changed bytes, by any process', async () => {
    const one = open()
    one.serve(feeds(1, { '/rss.xml': '"a"', '/atom.xml': '"b"' }))
    expect(await run(one)).toEqual({ pinged: 2, unheard: [] })
    expect(await run(one)).toEqual({ pinged: 0, unheard: [] })
    const another = open()
    another.serve(feeds(1, { '/rss.xml': '"a"', '/atom.xml': '"b"' }))
    expect((await run(another)).pinged).toBe(0)
    another.serve(feeds(2, { '/rss.xml': '"c"', '/atom.xml': '"b"' }))
    expect((await run(another)).pinged).toBe(1)
    // The first process still serves the earlier build.
    expect((await run(one)).pinged).toBe(0)
    expect(hub.told).toEqual([asked('/rss.xml'), asked('/atom.xml'), asked('/rss.xml')])
  })

  it('that fail are notified again with growing delays, without delaying others', async () => {
    const broken = 'http://127.0.0.1:9/hub'
    const site = open([broken, hub.url])
    site.serve(feeds(1, { '/rss.xml': '"a"' }))
    hub.faults.push((_, response) => response.writeHead(503).end())
    expect(await run(site)).toEqual({
      pinged: 0,
      unheard: ['/rss.xml: the hub could not be reached', '/rss.xml: the hub answered 503'],
    })
    clock.ms += 4 * minute
    expect(await run(site)).toEqual({ pinged: 0, unheard: [] })
    clock.ms += minute
    expect(await run(site)).toEqual({ pinged: 1, unheard: ['/rss.xml: the hub could not be reached'] })
    clock.ms += 9 * minute
    expect((await run(site)).unheard).toEqual([])
    clock.ms += minute
    expect((await run(site)).unheard).toHaveLength(1)
    expect(hub.told).toHaveLength(2)
  })

  it('that fail for days are notified every six hours, and after one success as soon as at first', async () => {
    const fail = () => hub.faults.push((_, response) => response.writeHead(503).end())
    const site = open()
    site.serve(feeds(1, { '/rss.xml': '"a"' }))
    for (let failures = 0; failures < 10; failures++) {
      fail()
      expect((await run(site)).unheard).toHaveLength(1)
      clock.ms += 360 * minute
    }
    clock.ms -= 1
    expect((await run(site)).unheard).toEqual([])
    clock.ms += 1
    expect((await run(site)).pinged).toBe(1)
    site.serve(feeds(2, { '/rss.xml': '"b"' }))
    fail()
    expect((await run(site)).unheard).toHaveLength(1)
    clock.ms += 5 * minute
    expect((await run(site)).pinged).toBe(1)
  })

  it('that failed are not notified of a build that they already know', async () => {
    const site = open()
    site.serve(feeds(1, { '/rss.xml': '"a"' }))
    await run(site)
    site.serve(feeds(2, { '/rss.xml': '"b"' }))
    hub.faults.push((_, response) => response.writeHead(503).end())
    expect((await run(site)).unheard).toHaveLength(1)
    clock.ms += 5 * minute
    site.serve(feeds(3, { '/rss.xml': '"a"' }))
    expect(await run(site)).toEqual({ pinged: 0, unheard: [] })
  })

  it('that do not respond, redirect or hang up count as not notified', async () => {
    hub.faults.push(
      () => {},
      (_, response) => response.writeHead(302, { location: '/other' }).end(),
      (request) => request.socket.destroy(),
    )
    const ping = () => pingHub(hub.url, `${baseUrl}/rss.xml`, { signal: never, deadlineMs: 200 })
    expect([await ping(), await ping(), await ping(), await ping()]).toEqual([
      'the hub did not answer in time',
      'the hub answered 302',
      'the hub could not be reached',
      undefined,
    ])
    expect(hub.told.filter((line) => line.includes('/other'))).toEqual([])
  })

  it('are notified after all if the program ended while it notified them', async () => {
    const stop = new AbortController()
    hub.faults.push(() => stop.abort())
    const site = open()
    site.serve(feeds(1, { '/rss.xml': '"a"' }))
    await expect(site.work(stop.signal, async () => {})).rejects.toThrow()
    expect((await run(site)).pinged).toBe(1)
  })

  it('are notified of nothing before there is a build, and then of its feeds by their entity tags', async () => {
    const site = open()
    expect(await run(site)).toEqual({ pinged: 0, unheard: [] })
    const entry = { file: 'f', size: 1, type: 'text/xml', cache: 'no-store' }
    const manifest = { '/rss.xml': { ...entry, etag: '"r"' }, '/feed.json': { ...entry, etag: '"j"' } }
    const facts = { key: 'k', program: 'p', baseUrl, payTo: '0x', network: 'n', asset: '0x', alsoAccepts: '' }
    const createdAt = new Date(start).toISOString()
    site.serve(toServedFeeds({ facts: { ...facts, mode: 'sandbox', createdAt }, manifest }))
    expect((await run(site)).pinged).toBe(2)
    expect(hub.told).toEqual([asked('/rss.xml'), asked('/feed.json')])
  })
})

describe('a feed', () => {
  const hubs = ['https://hub.example/?a=1&b="2"', 'https://other.example/']
  const channel: Channel = {
    ...{ title: 'Press', path: '', description: 'Words', baseUrl, author: 'A', language: 'en' },
    updatedAt: new Date(start),
  }

  it('links its hubs and itself, in every format and in its header', () => {
    const given = { ...channel, hubs }
    expect(parseRssFeed(toRss(given, [])).atom?.links).toEqual([
      { href: `${baseUrl}/rss.xml`, rel: 'self', type: 'application/rss+xml' },
      ...hubs.map((href) => ({ href, rel: 'hub' })),
    ])
    const links = parseAtomFeed(toAtom(given, [])).links ?? []
    expect(links.filter(({ rel }) => rel !== 'alternate')).toEqual([
      { href: `${baseUrl}/atom.xml`, rel: 'self' },
      ...hubs.map((href) => ({ href, rel: 'hub' })),
    ])
    expect(toJsonFeed(given, [])).toMatchObject({ hubs: hubs.map((url) => ({ type: 'WebSub', url })) })
    expect(toHubLinks(`${baseUrl}/rss.xml`, ['https://hub.example/'])).toEqual({
      link: `<https://hub.example/>; rel="hub", <${baseUrl}/rss.xml>; rel="self"`,
    })
  })

  it('links none if none is configured', () => {
    for (const text of [toRss(channel, []), toAtom(channel, []), JSON.stringify(toJsonFeed(channel, []))])
      expect(text).not.toContain('hub')
    expect(toHubLinks(`${baseUrl}/rss.xml`, [])).toEqual({})
    expect(postFeeds).toContain('/rss.xml')
  })
})
