import { describe, expect, it } from 'vitest'
import { toCrawlerCatalog } from '../../functions/bot-catalog/crawler-catalog.ts'
import { crawlersSchema } from '../../src/content/crawlers-schema.ts'
import { checkCrawlers } from '../../src/crawlers/check-crawlers.ts'
import { crawlerFactsSchema } from '../../src/crawlers/crawler-facts.ts'
import { readIpRanges } from '../../src/crawlers/read-ip-ranges.ts'
import { type Fetched, FetchFailed, type GuardedFetch } from '../../src/fetching/fetched.ts'

const at = '2026-11-23T05:35:00.000Z'
const google = JSON.stringify({
  creationTime: '2026-11-20T10:00:00',
  prefixes: [{ ipv4Prefix: '20.15.240.64/28' }, { ipv6Prefix: '2600:1F13::/40' }, { ipv4Prefix: '20.15.240.64/28' }],
})

/** Crawlers with a documentation page and an address list each, on hosts with their names. */
const crawlers = (...names: readonly string[]) =>
  crawlersSchema.parse({
    compiledAt: '2026-11-20',
    crawlers: names.map((name) => ({
      ...{ userAgent: name, operator: 'O', category: 'training', purpose: 'P', obeysRobotsTxt: 'yes' },
      docsUrl: `https://${name}.example/docs`,
      ipRangesUrl: `https://${name}.example/ips`,
    })),
  })

/** A pretend web that answers with a status and a text, and is unreachable for other addresses. */
const web =
  (pages: Readonly<Record<string, readonly [status: number, text: string, more?: Partial<Fetched>]>>): GuardedFetch =>
  async (url) => {
    const page = pages[url]
    if (!page) throw new FetchFailed('unreachable')
    const [status, text, more] = page
    const body = new TextEncoder().encode(text)
    return { url, status, headers: new Map(), body, isCut: false, redirects: 0, durationMs: 1, ...more }
  }
const check = (file: ReturnType<typeof crawlers>, guardedFetch: GuardedFetch, signal = new AbortController().signal) =>
  checkCrawlers({ crawlers: file.crawlers, guardedFetch, now: () => new Date(at) }, signal)

describe('address ranges', () => {
  it('are read from the usual JSON, from other JSON, and from plain lines', () => {
    expect(readIpRanges(google)).toEqual(['20.15.240.64/28', '2600:1f13::/40'])
    expect(readIpRanges('{"ips":["1.1.1.1",{"cidr":"8.8.8.0/24"}],"version":"1.2.3"}')).toEqual([
      '1.1.1.1/32',
      '8.8.8.0/24',
    ])
    expect(readIpRanges('# ours\r\n8.8.8.0/24 # a\n\n2606:4700::/32\n')).toEqual(['8.8.8.0/24', '2606:4700::/32'])
  })

  it.each([
    ['a page', '<!doctype html><p>Addresses: 8.8.8.8</p>'],
    ['everybody', '["0.0.0.0/0","8.0.0.0/7","2000::/3"]'],
    ['a network of our own', '["10.0.0.0/8","127.0.0.1","fd00::/20","169.254.169.254"]'],
    ['what is no range', '["8.8.8.8/33","999.1.1.1","8.8.8/24",":::"]'],
    ['nothing', ''],
  ])('are not read from %s', (_, text) => {
    expect(readIpRanges(text)).toEqual([])
  })
})

describe('checking the operators’ sites', () => {
  it('records published ranges with address and date, and whether the documentation exists', async () => {
    const file = crawlers('a')
    const facts = await check(
      file,
      web({ 'https://a.example/ips': [200, google], 'https://a.example/docs': [200, ''] }),
    )
    expect(crawlerFactsSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts)
    const [row] = toCrawlerCatalog(file, facts).crawlers
    expect(row).toMatchObject({
      docsUrl: 'https://a.example/docs',
      ipRanges: { url: 'https://a.example/ips', fetchedAt: at, prefixes: ['20.15.240.64/28', '2600:1f13::/40'] },
      lastVerified: { entry: '2026-11-20', docsUrl: at, ipRanges: at },
    })
  })

  it('claims no ranges and no date for a site without a complete answer', async () => {
    const file = crawlers('away', 'refused', 'cut', 'page')
    const facts = await check(
      file,
      web({
        'https://refused.example/ips': [403, google],
        'https://cut.example/ips': [200, google, { isCut: true }],
        'https://page.example/ips': [200, '<!doctype html>'],
      }),
    )
    for (const row of toCrawlerCatalog(file, facts).crawlers)
      expect(row).toMatchObject({ ipRanges: null, lastVerified: { docsUrl: null, ipRanges: null } })
    expect(facts.ranges).toEqual({})
  })

  it('removes the address of documentation that is gone, and keeps one that refuses only our request', async () => {
    const file = crawlers('gone', 'shy')
    const facts = await check(
      file,
      web({ 'https://gone.example/docs': [404, ''], 'https://shy.example/docs': [403, ''] }),
    )
    const { count, crawlers: rows, undocumented } = toCrawlerCatalog(file, facts)
    expect([count, rows.map(({ userAgent }) => userAgent)]).toEqual([1, ['shy']])
    expect(undocumented).toMatchObject([{ userAgent: 'gone', docsUrl: null, lastVerified: { docsUrl: null } }])
  })

  it('finds a list at its second address when the first does not answer, and says which it was', async () => {
    const second = 'https://b.example/ips'
    const {
      crawlers: [one],
      ...rest
    } = crawlers('a')
    const file = { ...rest, crawlers: one ? [{ ...one, alternateIpRangesUrl: second }] : [] }
    const facts = await check(file, web({ [second]: [200, google] }))
    expect(toCrawlerCatalog(file, facts).crawlers[0]?.ipRanges).toMatchObject({ url: second })
  })

  it('tries the second address of a list that several crawlers share, even if only one of them names it', async () => {
    const [list, second] = ['https://a.example/ips', 'https://b.example/ips']
    const { crawlers: all, ...rest } = crawlers('a', 'b')
    const shared = all.map((one, place) => ({
      ...one,
      ipRangesUrl: list,
      ...(place === 0 && { alternateIpRangesUrl: second }),
    }))
    const facts = await check({ ...rest, crawlers: shared }, web({ [second]: [200, google] }))
    expect(facts.ranges).toEqual({ [list]: expect.objectContaining({ url: second }) })
  })

  it('stops when it is aborted', async () => {
    const stop = new AbortController()
    const asking = check(
      crawlers('a'),
      async () => {
        stop.abort(new Error('enough'))
        throw new FetchFailed('unreachable')
      },
      stop.signal,
    )
    await expect(asking).rejects.toThrow('enough')
  })
})
