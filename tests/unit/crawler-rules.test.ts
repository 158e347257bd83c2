import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { crawlerCatalogSchema, toCrawlerCatalog } from '../../functions/bot-catalog/crawler-catalog.ts'
import { crawlersSchema, crawlerUses } from '../../src/content/crawlers-schema.ts'

const file = crawlersSchema.parse(JSON.parse(readFileSync('content/crawlers.json', 'utf8')))
const catalog = crawlerCatalogSchema.parse(toCrawlerCatalog(file))
const rows = [...catalog.crawlers, ...catalog.undocumented]
/** Tokens for robots.txt only, which no request carries. */
const unsent = ['Google-Extended', 'Applebot-Extended']
/** Crawlers whose User-Agent header a server can match. */
const sent = rows.filter(({ userAgent }) => !unsent.includes(userAgent) && /^[\w.-]+$/.test(userAgent))
const header = (userAgent: string): string => `Mozilla/5.0 (compatible; ${userAgent.toUpperCase()}/1.0)`

describe('the rules of the crawler catalog', () => {
  it.each(crawlerUses)('block the crawlers with the use %s and no others, in every format', (use) => {
    const { robotsTxt, nginx, caddy, cloudflare } = catalog.rules[use]
    const named = [...robotsTxt.matchAll(/^User-agent: (.+)$/gm)].map(([, name]) => name)
    expect(robotsTxt).toMatch(/^#.*\n(?:User-agent: .+\n)+Disallow: \/\n$/)
    const inNginx = new RegExp(/^ {2}"~\*(.*)" 1;$/m.exec(nginx)?.[1] ?? '', 'i')
    const inCaddy = new RegExp(/User-Agent \(\?i\)(\S+)$/m.exec(caddy)?.[1] ?? '', 'i')
    const contained = [...cloudflare.matchAll(/contains "([^"]+)"/g)].map(([, word = '']) => word)
    for (const row of sent) {
      const text = header(row.userAgent)
      const kept = [
        named.includes(row.userAgent),
        inNginx.test(text),
        inCaddy.test(text),
        contained.some((word) => text.toLowerCase().includes(word)),
      ]
      expect([row.userAgent, ...kept]).toEqual([row.userAgent, ...kept.map(() => row.use === use)])
    }
    for (const browser of ['Mozilla/5.0 (X11; Linux x64) Chrome/140.0 Safari/537.36', 'curl/8.9', 'Googlebot/2.1'])
      expect([inNginx.test(browser), inCaddy.test(browser)]).toEqual([false, false])
    // The limit of Cloudflare for an expression.
    expect(cloudflare.length).toBeLessThan(4096)
    expect(nginx).toContain(`if ($ai_${use}) { return 403; }`)
  })

  it('are empty when no crawler has a use, or none sends its name', () => {
    const tokens = file.crawlers.filter(({ category }) => category === 'control_token')
    const { rules, robotsTxt } = toCrawlerCatalog({ ...file, crawlers: tokens })
    for (const block of [rules.search, rules.person, rules.owner, { ...rules.train, robotsTxt: '# \n' }]) {
      for (const text of [block.robotsTxt, block.nginx, block.caddy]) expect(text).toMatch(/^(?:#.*\n)+$/)
      expect(block.cloudflare).toBe('')
    }
    expect(robotsTxt.allowSearch).toMatch(/^(?:#.*\n)+$/)
    expect(rules.train.robotsTxt).toMatch(/^#.*\n(?:User-agent: .+\n)+Disallow: \/\n$/)
    expect(toCrawlerCatalog({ ...file, crawlers: [] }).robotsTxt.blockTraining).toMatch(/^(?:#.*\n)+$/)
  })

  it('have tokens that no request carries in robots.txt only', () => {
    const { robotsTxt, nginx, caddy, cloudflare } = catalog.rules.train
    for (const token of unsent) {
      expect(robotsTxt).toContain(`User-agent: ${token}\n`)
      expect(nginx + caddy + cloudflare.toUpperCase()).not.toContain(token)
    }
  })
})

describe('the entries of the crawler catalog', () => {
  it('contain every crawler of the file, those without documentation in a list of their own', () => {
    expect(rows).toHaveLength(file.crawlers.length)
    expect([catalog.count, catalog.undocumented.length]).toEqual([43, 12])
    for (const { docsUrl } of catalog.crawlers) expect(docsUrl).not.toMatch(/^https:\/\/(?:www\.)?[^./]+\.\w+\/?$/)
  })

  it('say how to verify them where there is a method', () => {
    const methods = (name: string) =>
      rows.find(({ userAgent }) => userAgent === name)?.verification.map(({ method }) => method)
    expect(methods('GPTBot')).toEqual(['ip-ranges'])
    expect(methods('CCBot')).toEqual(['ip-ranges', 'reverse-dns'])
    expect(methods('Google-Agent')).toEqual(['ip-ranges', 'signed-requests'])
    expect(methods('Bytespider')).toEqual([])
  })

  it('claim nothing about operators that were not checked', () => {
    for (const { ipRanges, lastVerified } of rows)
      expect([ipRanges, lastVerified]).toEqual([null, { entry: '2026-11-20', docsUrl: null, ipRanges: null }])
  })
})
