import { expect } from 'vitest'
import { crawlerUses } from '../../../src/content/crawlers-schema.ts'
import { crawlers, type Proofs, type WorthShop } from './open-worth-shop.ts'

const rowOf = ({ catalog }: WorthShop, name: string) => {
  const row = [...catalog.crawlers, ...catalog.undocumented].find(({ userAgent }) => userAgent === name)
  if (!row) throw new Error(`the catalog lacks ${name}`)
  return row
}

/** Proofs for the crawler catalog, by the site's own robots.txt and by what the operators of crawlers responded. */
export const crawlerProofs: Proofs = {
  'bot-catalog': {
    'who runs each crawler, what it is for, and the page that documents it': async (shop) => {
      expect(shop.catalog.count).toBeGreaterThan(40)
      for (const { operator, use, docsUrl } of shop.catalog.crawlers)
        expect([operator !== '', crawlerUses.includes(use), new URL(docsUrl).protocol]).toEqual([true, true, 'https:'])
      expect(await shop.free('/robots.txt')).not.toContain('OpenAI')
    },
    'the IP ranges that operators publish, as CIDR with source and date, and nothing where none answered': (shop) => {
      const { ipRanges, lastVerified } = rowOf(shop, 'GPTBot')
      expect(ipRanges).toMatchObject({ url: 'https://openai.com/gptbot.json', prefixes: ['52.230.152.0/24'] })
      expect(ipRanges?.fetchedAt).toBe(lastVerified.ipRanges)
      const others = shop.catalog.crawlers.filter(({ userAgent }) => userAgent !== 'GPTBot')
      expect(others.filter((row) => row.ipRanges !== null || row.lastVerified.ipRanges !== null)).toEqual([])
    },
    'how to tell a crawler from an impostor': (shop) => {
      const methods = new Set(
        shop.catalog.crawlers.flatMap(({ verification }) => verification.map(({ method }) => method)),
      )
      expect([...methods].toSorted()).toEqual(['ip-ranges', 'reverse-dns', 'signed-requests'])
      expect(rowOf(shop, 'GPTBot').verification).toMatchObject([
        { how: expect.stringContaining('openai.com/gptbot.json') },
      ])
    },
    'ready-made rules for nginx, Caddy and Cloudflare, by what crawlers are for': (shop) => {
      for (const [use, { nginx, caddy, cloudflare }] of Object.entries(shop.catalog.rules)) {
        expect([nginx, caddy]).toEqual([expect.stringContaining(`$ai_${use}`), expect.stringContaining(`@ai_${use}`)])
        expect(cloudflare).toContain('http.user_agent')
      }
      expect(shop.catalog.rules.train.nginx).toContain('GPTBot')
      expect(shop.catalog.rules.search.nginx).not.toContain('GPTBot')
    },
    'what was verified in each row, and when': (shop) => {
      const { lastVerified } = rowOf(shop, 'ClaudeBot')
      expect([lastVerified.entry, Date.parse(lastVerified.docsUrl ?? '') <= Date.now(), lastVerified.ipRanges]).toEqual(
        ['2026-11-20', true, null],
      )
    },
    'no dead links to documentation': (shop) => {
      const { docsUrl } = crawlers.find(({ userAgent }) => userAgent === 'omgili') ?? {}
      expect(docsUrl).toContain('webz.io')
      expect(shop.catalog.undocumented.find(({ userAgent }) => userAgent === 'omgili')).toMatchObject({ docsUrl: null })
    },
  },
}
