import { parseAtomFeed } from 'feedsmith'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonFeedSchema } from '../support/json-feed-schema.ts'
import { readers } from '../support/read-entries.ts'
import { childrenOf, readXml, textOf } from '../support/read-xml.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

let site: RunningSite

beforeAll(async () => {
  // Feeds need no payment services, so nothing listens at these addresses.
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(() => site?.kill('SIGTERM'))

const textAt = async (path: string): Promise<string> => (await site.fetch(path)).text()

describe.each([
  ['/rss.xml', 'application/rss+xml; charset=utf-8'],
  ['/atom.xml', 'application/atom+xml; charset=utf-8'],
  ['/feed.json', 'application/feed+json; charset=utf-8'],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
])('%s', (path, type) => {
  it('has its media type, may be read from any origin, and is not sent again to a client that has it', async () => {
    const first = await site.fetch(path)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type])
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    const again = await site.fetch(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  })
})

it.each(['/rss.xml', '/atom.xml', '/feed.json', '/podcast.xml'])(
  '%s is not sent again to a client that asks by date',
  async (path) => {
    const modified = (await site.fetch(path)).headers.get('last-modified') ?? ''
    expect(new Date(modified).toUTCString()).toBe(modified)
    const ask = async (headers: Record<string, string>) => (await site.fetch(path, { headers })).status
    expect(await ask({ 'if-modified-since': modified })).toBe(304)
    expect(await ask({ 'if-modified-since': new Date(Date.parse(modified) - 1000).toUTCString() })).toBe(200)
    expect(await ask({ 'if-modified-since': 'yesterday' })).toBe(200)
    expect(await ask({ 'if-modified-since': modified, 'if-none-match': '"other"' })).toBe(200)
  },
)

describe('the three feeds', () => {
  it('contain the same posts in the same order, in full, as several parsers read them', async () => {
    const feed: unknown = JSON.parse(await textAt('/feed.json'))
    expect(findSchemaErrors(jsonFeedSchema, feed)).toEqual([])
    const seen = await Promise.all(
      Object.entries(readers).flatMap(([path, pair]) => pair.map(async (read) => read(await textAt(path)))),
    )
    const [first = []] = seen
    expect(first.length).toBeGreaterThan(0)
    for (const entry of first)
      expect(entry).toEqual({
        id: entry.url,
        url: expect.stringMatching(/^http:\/\/farthing\.test\/posts\/./),
        title: expect.stringMatching(/./),
        publishedAt: expect.stringMatching(/^\d{4}-/),
        html: expect.stringMatching(/^<[\s\S]+>$/),
      })
    for (const others of seen) expect(others).toEqual(first)
  })

  it('contain code titles, marks, diagrams and formulas in a form that is readable without the styles of the site', async () => {
    const entries = (await readers['/atom.xml']?.[0](await textAt('/atom.xml'))) ?? []
    const htmlOf = (slug: string) => entries.find(({ url }) => url?.endsWith(`/posts/${slug}`))?.html
    const durable = htmlOf('durable-before-paid')
    expect(durable).toMatch(
      /<figcaption>ledger\.ts<\/figcaption><pre[^>]*><code>[^<]*<mark>[^<]*synchronous = full[^<]*<\/mark>/,
    )
    expect(durable).toMatch(/<svg role="img" aria-label="What a payment can become"/)
    expect(htmlOf('a-price-is-an-integer')).toContain('<math alttext="n">')
    expect(htmlOf('anatomy-of-a-402')?.match(/<figcaption>(?:curl|fetch)<\/figcaption>/g)).toHaveLength(2)
  })

  it('are read the same way by libxml2', async () => {
    const html = (await readers['/rss.xml']?.[0](await textAt('/rss.xml')))?.map((entry) => entry.html)
    const atom = childrenOf(await readXml(await textAt('/atom.xml')), 'entry')
    expect(atom.map((entry) => textOf(entry, 'content'))).toEqual(html)
    const [channel] = childrenOf(await readXml(await textAt('/rss.xml')), 'channel')
    expect(channel && childrenOf(channel, 'item').map((item) => textOf(item, 'content:encoded'))).toEqual(html)
  })

  it('follow the rules that validators check', async () => {
    const [channel] = childrenOf(await readXml(await textAt('/rss.xml')), 'channel')
    const items = channel ? childrenOf(channel, 'item') : []
    const dates = items.map((item) => Date.parse(textOf(item, 'pubDate') ?? ''))
    expect(dates).toEqual(dates.toSorted((a, b) => b - a))
    expect(Math.max(...dates)).toBeLessThanOrEqual(Date.now())
    for (const item of items) {
      expect(textOf(item, 'pubDate')).toMatch(
        /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
      )
      const content = textOf(item, 'content:encoded') ?? ''
      expect(content).not.toMatch(/<(?:script|style|iframe|object|form)\b|\son\w+=|\sstyle=/)
      for (const [, address = ''] of content.matchAll(/<[a-z][^>]*\s(?:href|src)="([^"]*)"/g))
        expect(address).toMatch(/^(?:https?|mailto):/)
    }
    const ids = items.map((item) => textOf(item, 'guid'))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are linked from every page', async () => {
    for (const path of ['/', '/posts', '/posts/never-charge-twice', '/about']) {
      const head = (await textAt(path)).split('</head>')[0] ?? ''
      for (const link of [
        'application/rss+xml" href="/rss.xml"',
        'application/atom+xml" href="/atom.xml"',
        'application/feed+json" href="/feed.json"',
      ])
        expect(head).toContain(`<link rel="alternate" type="${link}`)
    }
  })
})

it('the feeds of an author contain that author’s posts, and structured data on the author’s page links them', async () => {
  const path = '/authors/the-farthing-press'
  const all = z.object({ items: z.array(z.object({ url: z.string() })) }).parse(JSON.parse(await textAt('/feed.json')))
  for (const [file, pair] of Object.entries(readers))
    for (const read of pair)
      expect((await read(await textAt(path + file))).map(({ url }) => url)).toEqual(
        all.items.slice(0, 20).map(({ url }) => url),
      )
  expect(await textAt(path)).toContain(`"@type":"ProfilePage","url":"${testBaseUrl}${path}"`)
  expect(await textAt('/posts/fair-play')).toContain(
    `"author":{"@type":"Organization","name":"The Farthing press","url"`,
  )
})

it('the byline of the only author is not a link', async () => {
  expect(await textAt('/posts/fair-play')).not.toContain('rel="author"')
})

describe('the feeds of a tag', () => {
  it('contain the posts of that tag and no others, as several parsers read them', async () => {
    const tagged = await textAt('/tags/x402.md')
    const urls = [...tagged.matchAll(/^- \[.*?\]\((\S+\/posts\/\S+)\)/gm)].map(([, url]) => url)
    expect(urls.length).toBeGreaterThan(2)
    for (const [path, pair] of Object.entries(readers)) {
      const answer = await site.fetch(`/tags/x402${path}`)
      expect(answer.headers.get('content-type')).toBe((await site.fetch(path)).headers.get('content-type'))
      expect(answer.headers.get('last-modified')).toMatch(/ GMT$/)
      const text = await answer.text()
      for (const read of pair) expect((await read(text)).map(({ url }) => url)).toEqual(urls)
    }
    expect(findSchemaErrors(jsonFeedSchema, JSON.parse(await textAt('/tags/x402/feed.json')))).toEqual([])
  })

  it('are announced on its page before those of the site, and linked from it', async () => {
    const [head = '', body = ''] = (await textAt('/tags/x402')).split('</head>')
    const announced = [...head.matchAll(/rel="alternate" type="application\/[a-z]+\+[a-z]+" href="([^"]+)"/g)]
    expect(announced.map(([, href]) => href)).toEqual([
      ...Object.keys(readers).map((path) => `/tags/x402${path}`),
      ...Object.keys(readers),
      '/podcast.xml',
    ])
    expect(body).toContain(
      'Follow: <a href="/tags/x402/rss.xml">RSS</a>, <a href="/tags/x402/atom.xml">Atom</a>, <a href="/tags/x402/feed.json">',
    )
  })
})

it('the sitemap lists the posts of the feeds with their dates', async () => {
  const urls = childrenOf(await readXml(await textAt('/sitemap.xml')), 'url')
  const dates = new Map(urls.map((url) => [textOf(url, 'loc'), textOf(url, 'lastmod')]))
  expect(dates.size).toBe(urls.length)
  for (const { id, updated } of parseAtomFeed(await textAt('/atom.xml')).entries ?? [])
    expect(dates.get(id)).toBe(updated)
  for (const path of ['/', '/posts', '/about', '/agents', '/skills/feed-doctor', '/apis/llms-full'])
    expect([path, dates.get(testBaseUrl + path)]).toEqual([path, expect.stringMatching(/^\d{4}-\d\d-\d\dT/)])
})

it('robots.txt has groups for the known crawlers, with content signals in each', async () => {
  const groups = (await textAt('/robots.txt')).split('\n\n').filter((group) => group.includes('User-agent:'))
  for (const group of groups)
    expect(group).toMatch(
      /^Content-Signal: search=(?:yes|no), ai-input=(?:yes|no), ai-train=(?:yes|no)\nAllow: \/$|^Content-Signal: [a-z-]+=no\nDisallow: \/$/m,
    )
  for (const agent of [
    '*',
    'GPTBot',
    'OAI-SearchBot',
    'ChatGPT-User',
    'ClaudeBot',
    'Google-Extended',
    'PerplexityBot',
    'CCBot',
  ])
    expect([agent, groups.filter((group) => group.split('\n').includes(`User-agent: ${agent}`)).length]).toEqual([
      agent,
      1,
    ])
})

describe('structured data', () => {
  const dataOf = async (path: string): Promise<Record<string, unknown>[]> =>
    [...(await textAt(path)).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
      JSON.parse(json),
    )

  it('of a post states its author, its dates and its place in the site', async () => {
    const [breadcrumbs, posting] = await dataOf('/posts/never-charge-twice')
    const url = `${testBaseUrl}/posts/never-charge-twice`
    expect(posting).toMatchObject({
      '@type': 'BlogPosting',
      url,
      headline: 'A retry must never charge twice',
      datePublished: '2026-09-30T09:00:00.000Z',
      inLanguage: 'en',
      keywords: 'x402, payments, reliability',
    })
    expect(posting).toMatchObject({
      isPartOf: { '@type': 'CreativeWorkSeries', url: `${testBaseUrl}/series/selling-over-http` },
      position: 2,
    })
    expect(breadcrumbs).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1, name: 'Posts', item: `${testBaseUrl}/posts` },
        { position: 2, item: url },
      ],
    })
  })

  it('of a product states its price, or a price range when the price depends on the input', async () => {
    expect((await dataOf('/skills/feed-doctor'))[1]).toMatchObject({
      '@type': 'Product',
      offers: { '@type': 'Offer', price: '0.10', priceCurrency: 'USD' },
    })
    expect((await dataOf('/apis/llms-pack'))[1]).toMatchObject({
      offers: { '@type': 'AggregateOffer', lowPrice: '0.06', highPrice: '0.25', priceCurrency: 'USD' },
    })
  })

  it('of the front page describes a site with a search', async () => {
    expect(await dataOf('/')).toMatchObject([{ '@type': 'WebSite', potentialAction: { '@type': 'SearchAction' } }])
  })
})
