import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawlerCatalogSchema } from '../../functions/bot-catalog/crawler-catalog.ts'
import botCatalogOffer from '../../functions/bot-catalog/offer.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch, sign } from '../support/stock-client.ts'

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

const { path } = botCatalogOffer
const url = testBaseUrl + path
const buyer = sandboxAccounts.buyer.privateKey
const signCatalog = () => sign(url, undefined, { privateKey: buyer, fetch: site.fetch })

describe('the crawler catalog', () => {
  it('is bought as the documented JSON, with every crawler that has a docs page', async () => {
    const answer = await payingFetch(buyer, site.fetch)(url)
    expect(answer.status).toBe(200)
    const catalog = crawlerCatalogSchema.parse(await answer.json())
    expect([catalog.count, catalog.crawlers.length]).toEqual([43, 43])
    expect(catalog.crawlers).toContainEqual(JSON.parse(botCatalogOffer.sample))
    expect(catalog.crawlers.filter(({ docsUrl }) => !docsUrl.startsWith('https://'))).toEqual([])
  })

  it('has rules for robots.txt that name every crawler except ChatGPT Agent, each in one of them', async () => {
    const { header } = await signCatalog()
    const answer = await site.fetch(path, { headers: { 'PAYMENT-SIGNATURE': header } })
    const { crawlers, robotsTxt } = crawlerCatalogSchema.parse(await answer.json())
    const named = (rules: string) => [...rules.matchAll(/^User-agent: (.+)$/gm)].map(([, name]) => name)
    const [welcome, shutOut] = [named(robotsTxt.allowSearch), named(robotsTxt.blockTraining)]
    expect(welcome).toEqual(expect.arrayContaining(['OAI-SearchBot', 'PerplexityBot', 'Claude-User']))
    expect(shutOut).toEqual(expect.arrayContaining(['GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended']))
    expect(welcome.filter((name) => shutOut.includes(name))).toEqual([])
    const unnamed = crawlers.filter(({ userAgent }) => ![...welcome, ...shutOut].includes(userAgent))
    expect(unnamed.map(({ userAgent }) => userAgent)).toEqual(['ChatGPT Agent'])
    expect(robotsTxt.allowSearch).toMatch(/^#.*\n(?:User-agent: .+\n)+Allow: \/\n$/)
    expect(robotsTxt.blockTraining).toMatch(/^#.*\n(?:User-agent: .+\n)+Disallow: \/\n$/)
  })
})

describe('inspecting the crawler catalog', () => {
  it('returns free text with three rows, and leaves the signature of a request with a payment unused', async () => {
    const { header } = await signCatalog()
    const before = await money.transfersTo()
    for (const headers of [{}, { 'PAYMENT-SIGNATURE': header }, { 'PAYMENT-SIGNATURE': 'garbage' }]) {
      const answer = await site.fetch(`${path}?inspect=1`, { headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      expect(answer.headers.has('payment-required')).toBe(false)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const text = await answer.text()
      expect(text).toContain('Price: $0.05')
      expect(text).toContain('Crawlers: 43 with documentation, 12 without')
      for (const field of ['crawlers[].ipRanges.prefixes: array', 'rules.train.nginx: string', 'lastVerified.docsUrl'])
        expect(text).toContain(field)
      expect(text.match(/^\{"userAgent".*\}$/gm)).toHaveLength(3)
    }
    expect(await money.transfersTo()).toHaveLength(before.length)
    expect((await site.fetch(path, { headers: { 'PAYMENT-SIGNATURE': header } })).status).toBe(200)
  })

  it.each(['inspect=2', 'inspect=', 'inspect=true', 'inspect=1&inspect=1'])(
    'with %s gets the price, and is refused uncharged when it is paid',
    async (query) => {
      const { header } = await signCatalog()
      const unpaid = await site.fetch(`${path}?${query}`)
      expect([unpaid.status, unpaid.headers.has('payment-required')]).toEqual([402, true])
      const paid = await site.fetch(`${path}?${query}`, { headers: { 'PAYMENT-SIGNATURE': header } })
      expect([paid.status, await paid.json()]).toMatchObject([
        400,
        { charged: false, errors: [{ parameter: 'inspect' }] },
      ])
    },
  )

  it('allows HEAD without a body, and treats other methods as without it', async () => {
    const ask = (method: string, target: string) => site.fetch(target, { method })
    const head = await ask('HEAD', `${path}?inspect=1`)
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '',
    ])
    expect(head.headers.has('payment-required')).toBe(false)
    expect((await ask('HEAD', path)).status).toBe(402)
    expect((await ask('OPTIONS', `${path}?inspect=1`)).status).toBe(204)
    expect((await ask('POST', `${path}?inspect=1`)).status).toBe(405)
  })
})
