import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { crawlersSchema } from '../../src/content/crawlers-schema.ts'
import type { Alternate } from '../../src/core/alternate.ts'
import { toLlmsTxt } from '../../src/discovery/llms-txt.ts'
import { toRobots } from '../../src/discovery/robots.ts'
import { toSitemap } from '../../src/discovery/sitemap.ts'
import { childrenOf, readXml, textOf } from '../support/read-xml.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'

const { crawlers } = crawlersSchema.parse(JSON.parse(readFileSync('content/crawlers.json', 'utf8')))
const { baseUrl } = sampleShop

/** The rules of each group of a robots.txt in order, by user agent. */
function readGroups(robots: string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  let agents: string[] = []
  let hasRules = false
  for (const line of robots.split('\n')) {
    const [, key = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (key === 'User-agent') {
      agents = hasRules ? [value] : [...agents, value]
      hasRules = false
    } else if (key !== '' && key !== 'Sitemap') {
      hasRules = true
      for (const agent of agents) groups.set(agent, [...(groups.get(agent) ?? []), `${key}: ${value}`])
    }
  }
  return groups
}

describe('robots.txt', () => {
  const policy = { allowSearch: true, blockTraining: true }
  const groups = readGroups(toRobots(crawlers, policy, baseUrl))

  it('allows everyone to read, and asks training crawlers to stay away unless allowed', () => {
    const signal = 'Content-Signal: search=yes, ai-input=yes, ai-train=no'
    for (const reader of ['*', 'ChatGPT-User', 'Claude-User', 'OAI-SearchBot', 'PerplexityBot'])
      expect([reader, groups.get(reader)]).toEqual([reader, [signal, 'Allow: /']])
    for (const collector of ['GPTBot', 'ClaudeBot', 'Google-Extended', 'CCBot', 'Bytespider'])
      expect([collector, groups.get(collector)]).toEqual([collector, ['Content-Signal: ai-train=no', 'Disallow: /']])
  })

  it('has every crawler of the list that can be named, each once', () => {
    const agents = [...toRobots(crawlers, policy, baseUrl).matchAll(/^User-agent: (.*)$/gm)].map(([, agent]) => agent)
    expect(new Set(agents).size).toBe(agents.length)
    expect(crawlers.map(({ userAgent }) => userAgent).filter((agent) => !agents.includes(agent))).toEqual([
      'ChatGPT Agent',
    ])
  })

  it('follows the publisher’s choice', () => {
    const closed = readGroups(toRobots(crawlers, { allowSearch: false, blockTraining: false }, baseUrl))
    const signal = 'Content-Signal: search=no, ai-input=yes, ai-train=yes'
    expect(closed.get('GPTBot')).toEqual([signal, 'Allow: /'])
    expect(closed.get('OAI-SearchBot')).toEqual(['Content-Signal: search=no', 'Disallow: /'])
    expect(closed.get('Claude-User')).toEqual([signal, 'Allow: /'])
  })

  it('names the sitemap', () => {
    expect(toRobots([], policy, baseUrl)).toContain(`\nSitemap: ${baseUrl}/sitemap.xml\n`)
  })
})

describe('the sitemap', () => {
  it('lists pages with the date of their last change where known', async () => {
    const map = await readXml(
      toSitemap([{ path: '/' }, { path: '/posts/é&', updatedAt: new Date('2026-11-02T10:00:00Z') }], baseUrl).whole,
    )
    expect(map.attributes.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9')
    expect(childrenOf(map, 'url').map((url) => [textOf(url, 'loc'), textOf(url, 'lastmod')])).toEqual([
      [`${baseUrl}/`, undefined],
      [`${baseUrl}/posts/%C3%A9&`, '2026-11-02T10:00:00.000Z'],
    ])
  })

  const pages = (count: number) =>
    Array.from({ length: count }, (_, place) => ({
      path: `/${place}` as const,
      updatedAt: new Date(Date.UTC(2026, 0, 1 + place)),
    }))

  it('is one file within the size limits', () => {
    const { whole, parts } = toSitemap(pages(50_000), baseUrl)
    expect([whole.match(/<loc>/g)?.length, parts]).toEqual([50_000, []])
    expect(toSitemap([], baseUrl)).toEqual({ whole: expect.stringContaining('</urlset>'), parts: [] })
  })

  it.each([
    ['addresses', { addresses: 2, bytes: 10_000 }],
    ['bytes', { addresses: 100, bytes: 380 }],
  ])('is an index of parts above that many %s, each with the date of its newest page', async (_, most) => {
    const { whole, parts } = toSitemap([...pages(3), { path: '/4' as const }, { path: '/5' as const }], baseUrl, most)
    const index = await readXml(whole)
    expect(index.name).toBe('sitemapindex')
    expect(childrenOf(index, 'sitemap').map((part) => [textOf(part, 'loc'), textOf(part, 'lastmod')])).toEqual([
      [`${baseUrl}/sitemap-1.xml`, '2026-01-02T00:00:00.000Z'],
      [`${baseUrl}/sitemap-2.xml`, '2026-01-03T00:00:00.000Z'],
      [`${baseUrl}/sitemap-3.xml`, undefined],
    ])
    const urls = await Promise.all(parts.map(async (part) => childrenOf(await readXml(part), 'url')))
    expect(urls.flat().map((url) => textOf(url, 'loc'))).toEqual([0, 1, 2, 4, 5].map((path) => `${baseUrl}/${path}`))
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(most.bytes)
  })
})

describe('llms.txt', () => {
  const post = (place: number): Alternate => ({
    path: `/posts/post-${place}`,
    title: `Post [${place}]`,
    summary: 'x'.repeat(220),
    body: '',
    updatedAt: new Date('2026-11-02T10:00:00Z'),
  })
  const write = (count: number) =>
    toLlmsTxt({
      name: 'Press',
      description: 'Words.',
      baseUrl,
      gameUrl: 'https://game.shop.example',
      alternates: [
        { path: '/agents', title: 'For agents', summary: 'How.', body: '' },
        { path: '/colophon', title: 'Colophon', summary: 'Who prints this.', body: '' },
        ...Array.from({ length: count }, (_, place) => post(place)),
      ],
      offers: sampleOffers,
    })

  it('follows the convention: one title, a quoted summary, sections of links', () => {
    const lines = write(2).split('\n')
    expect([lines[0], lines[2]]).toEqual(['# Press', '> Words.'])
    expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1)
    expect(lines).toContain('## Docs')
    expect(lines).toContain(`- [Post \\[1\\]](${baseUrl}/posts/post-1.md): 2026-11-02. ${'x'.repeat(220)}`)
    const inSections = lines.slice(lines.indexOf('## Docs')).filter((line) => line !== '' && !line.startsWith('## '))
    for (const line of inSections) expect(line).toMatch(/^- \[.+\]\(https:\/\/(?:game\.)?shop\.example\/[^ )]*\): \S/)
    expect(inSections.filter((line) => /\.md\)/.test(line)).length).toBeGreaterThanOrEqual(inSections.length / 2)
  })

  it('lists the pages that the publisher has written', () => {
    expect(write(1)).toContain(`\n- [Colophon](${baseUrl}/colophon.md): Who prints this.\n`)
  })

  it('gives the price of each product', () => {
    expect(write(0)).toContain(`](${baseUrl}/apis/llms-pack.md): $0.06+, POST /api/x402/llms/pack. `)
  })

  it('stays under 50,000 bytes with ten thousand posts, newest first', () => {
    const text = write(10_000)
    expect(Buffer.byteLength(text)).toBeLessThan(50_000)
    expect(text).toContain('/posts/post-0.md')
    expect(text).not.toContain('/posts/post-9999.md')
    expect(text).toContain(`(${baseUrl}/posts.md)`)
  })
})
