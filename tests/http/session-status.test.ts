import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verify } from 'web-bot-auth'
import { verifierFromJWK } from 'web-bot-auth/crypto'
import { diagnosisSchema } from '../../functions/session-status/diagnosis-schema.ts'
import { surfacePaths } from '../../functions/session-status/probe/surface-paths.ts'
import { openGameHost } from '../../game-server/host/open-game-host.ts'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { listen } from '../../src/http/listen.ts'
import { behindTls } from '../support/behind-tls.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { testGameUrl } from '../support/running-service.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { payingFetch, sign } from '../support/stock-client.ts'
import { toPlace } from '../support/test-databases.ts'

const privateKey = sandboxAccounts.buyer.privateKey
const url = `${testBaseUrl}/api/x402/cms/session-status`
const order = (siteUrl: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ siteUrl }),
})

let money: RunningMoney
let web: PretendWeb
let site: RunningSite
let game: Awaited<ReturnType<typeof openGameHost>>
let gamePort: number
beforeAll(async () => {
  web = await openPretendWeb({
    'farthing.test': { '*': behindTls(() => site.port) },
    'undercroft.test': { '*': behindTls(() => gamePort, testGameUrl) },
  })
  money = await startMoney()
  site = await startSite({
    ...money,
    env: {
      EGRESS_TEST_HOSTS: web.egress('farthing.test', 'undercroft.test', 'broken.test', 'down.test'),
      EGRESS_TEST_CA: web.caFile,
    },
  })
  const { facilitatorUrl: FACILITATOR_URL, rpcUrl: RPC_URL } = money
  const env = { BASE_URL: testBaseUrl, GAME_URL: testGameUrl, PORT: '0', ...(await toPlace(site.dataDir)) }
  game = await openGameHost(readConfig({ ...env, FACILITATOR_URL, RPC_URL }), testBuild(), () => {})
  gamePort = (await listen(game.server, { host: '127.0.0.1', port: 0 })).port
})
afterAll(async () => {
  game?.beginClose()
  game?.server.closeAllConnections()
  await game?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
  await web?.close()
})

const buy = async (siteUrl: string) => {
  const answer = await payingFetch(privateKey, site.fetch)(url, order(siteUrl))
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return { answer, report: diagnosisSchema.parse(JSON.parse(text)) }
}

/**
 * Buys a diagnosis of one of our sites, again if the site was slow, because the machine may be busy; `paid` is its
 * cost.
 */
async function buyOfOurs(siteUrl: string, tries = 5): Promise<Awaited<ReturnType<typeof buy>> & { paid: unknown[] }> {
  const before = await money.transfersTo()
  const bought = await buy(siteUrl)
  const paid = (await money.transfersTo()).slice(before.length).map(({ value }) => value)
  const isSlow = bought.report.findings.some(({ id }) => id === 'slow')
  return isSlow && tries > 1 ? buyOfOurs(siteUrl, tries - 1) : { ...bought, paid }
}

describe('the diagnosis, bought by an unmodified client', () => {
  it('of our own running site is right path by path', async () => {
    const { answer, report, paid } = await buyOfOurs('https://farthing.test/posts/anything?x=1')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(report.surfaces.map(({ path, status, ok }) => [path, status, ok])).toEqual([
      ...['/', '/sitemap.xml', '/robots.txt', '/rss.xml', '/feed.json', '/llms.txt'].map((path) => [path, 200, true]),
      ['/llms-full.txt', 402, true],
      ['/skills.json', 200, true],
      ['/api/catalog.json', 200, true],
      ['/_cms/admin/', 404, true],
      ['/_cms/api/mcp', 404, true],
      ['/.well-known/oauth-protected-resource', 200, true],
    ])
    // The tested build has an http address, so that it does not send HSTS.
    expect(report.findings.map(({ id }) => id)).toEqual(['no-hsts'])
    expect(report.summary).toMatchObject({ score: 99, level: 5, reachable: 12, ok: 12 })
    expect(report.siteUrl).toBe('https://farthing.test/posts/anything?x=1')
    expect(paid).toEqual([50_000n])
  })

  it('of our game host finds nothing except what does not apply to a game', async () => {
    const { report } = await buyOfOurs('https://undercroft.test')
    const seen = report.findings.map(({ id, severity }) => [id, severity] as const)
    // It publishes no writing, so that there is nothing for a feed or a bundle.
    const ofWriting = ['front-no-feed-link', 'json-feed-missing', 'llms-full-missing', 'rss-missing']
    // Its pages are a few KB, are made for each request, and change after each death.
    const ofLivePages = ['no-compression', 'no-validators', 'sitemap-no-dates']
    // Its llms.txt leads to where one plays, not to pages to read.
    const ofPlaces = ['llms-pages']
    // The tested build has an http address, so that it does not send HSTS.
    expect(seen.map(([id]) => id).toSorted()).toEqual([...ofWriting, ...ofLivePages, ...ofPlaces, 'no-hsts'].toSorted())
    expect(seen.filter(([, severity]) => severity === 'medium' || severity === 'high')).toEqual([])
  })

  it('requests exactly the twelve paths, under its own user agent', async () => {
    web.asked.length = 0
    await buy('https://farthing.test')
    expect(web.asked.map(({ path }) => path).toSorted()).toEqual([...surfacePaths].toSorted())
    for (const { headers } of web.asked)
      expect([headers['user-agent'], headers.cookie, headers['payment-signature']]).toEqual([
        `FarthingFetch/1.0 (+${testBaseUrl}/agents)`,
        undefined,
        undefined,
      ])
  })

  it('signs each request, with the key that the site publishes', async () => {
    web.asked.length = 0
    await buy('https://farthing.test')
    const directory = await site.fetch('/.well-known/http-message-signatures-directory')
    expect(directory.headers.get('content-type')).toMatch(/^application\/http-message-signatures-directory\+json/)
    const { keys } = await directory.json()
    const verifier = await verifierFromJWK(keys[0])
    expect(web.asked).toHaveLength(surfacePaths.length)
    for (const { headers, path } of web.asked) {
      expect(headers['signature-agent']).toBe(JSON.stringify(testBaseUrl))
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      await verify({ method: 'GET', url: `https://farthing.test${path}`, headers: sent }, verifier)
    }
  })

  it('of a broken site is right path by path', async () => {
    web.serve('broken.test', {
      '/': { status: 500, body: 'Fatal error: Uncaught Exception in /var/www/index.php:12' },
      '/sitemap.xml': {
        headers: { 'content-type': 'text/xml' },
        body: '<urlset><url><loc>https://broken.test/?a&b</loc></urlset>',
      },
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' },
      '/rss.xml': { status: 302, headers: { location: 'https://127.0.0.1/feed' } },
      '/feed.json': { headers: { 'content-type': 'application/json' }, body: '{"version":' },
      '/llms.txt': (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half')
        response.destroy()
      },
      '/llms-full.txt': { status: 402, body: 'pay me' },
      '/skills.json': { headers: { 'content-type': 'application/json' }, body: '[]' },
      '/_cms/admin/': '<!doctype html><title>Dashboard</title><p>Users, Settings, <a href="/bye">Log out</a>',
      '/_cms/api/mcp': { headers: { 'content-type': 'application/json' }, body: '{"tools":[]}' },
      '/.well-known/oauth-protected-resource': { headers: { 'content-type': 'application/json' }, body: '{}' },
    })
    const { report } = await buy('https://broken.test/')
    expect(report.surfaces.map(({ path, status, ok }) => [path, status, ok])).toEqual([
      ['/', 500, false],
      ['/sitemap.xml', 200, false],
      ['/robots.txt', 200, false],
      ['/rss.xml', null, false],
      ['/feed.json', 200, false],
      ['/llms.txt', null, false],
      ['/llms-full.txt', 402, false],
      ['/skills.json', 200, false],
      ['/api/catalog.json', 404, false],
      ['/_cms/admin/', 200, false],
      ['/_cms/api/mcp', 200, false],
      ['/.well-known/oauth-protected-resource', 200, false],
    ])
    expect(report.findings.map(({ id, severity }) => `${severity} ${id}`)).toEqual([
      'high front-fails',
      'high server-errors',
      'high robots-blocks-all',
      'high llms-full-terms',
      'high admin-exposed',
      'high mcp-open',
      'medium silent-paths',
      'medium sitemap-broken',
      'medium json-feed-broken',
      'medium skills-broken',
      'medium metadata-broken',
      'low robots-no-sitemap',
      'low robots-no-ai-rules',
      'low robots-no-signals',
      'low metadata-closed',
    ])
    expect(report.recommendations[0]).toMatchObject({ id: 'close-admin', priority: 1 })
    expect(report.recommendations.find(({ id }) => id === 'mend-402')).toMatchObject({
      skillUrl: `${testBaseUrl}/skills/x402-seller`,
    })
    // The address of a redirect that was not followed must not be shown.
    expect(JSON.stringify(report)).not.toContain('127.0.0.1')
  })

  it('of a site that is down says so', async () => {
    web.fail('down.test', { is: 'spoken', speak: (socket) => socket.destroy() })
    const { report } = await buy('https://down.test/')
    expect(report.surfaces.map(({ status }) => status)).toEqual(surfacePaths.map(() => null))
    expect(report.findings.map(({ id }) => id)).toEqual(['site-down'])
    web.fail('down.test', undefined)
  })
})

describe('the address of a site', () => {
  it('that does not resolve is not charged for, and the signature can still be used', async () => {
    const { header } = await sign(url, order('https://nowhere.invalid/'), { privateKey, fetch: site.fetch })
    const before = (await money.transfersTo()).length
    const { headers, ...rest } = order('https://nowhere.invalid/')
    const refused = await site.fetch(url, { ...rest, headers: { ...headers, 'PAYMENT-SIGNATURE': header } })
    expect([refused.status, await refused.json()]).toMatchObject([502, { charged: false }])
    expect(await money.transfersTo()).toHaveLength(before)
    const paid = await site.fetch(url, {
      ...order('https://farthing.test'),
      headers: { ...headers, 'PAYMENT-SIGNATURE': header },
    })
    expect(paid.status).toBe(200)
  })

  it.each(['https://127.0.0.1/', 'https://db.internal/', 'http://farthing.test/', 'farthing.test', ''])(
    'is refused when it is not a public https address: %j',
    async (siteUrl) => {
      const { header } = await sign(url, order('https://farthing.test'), { privateKey, fetch: site.fetch })
      const { headers, ...rest } = order(siteUrl)
      const refused = await site.fetch(url, { ...rest, headers: { ...headers, 'PAYMENT-SIGNATURE': header } })
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { charged: false, errors: [{ pointer: '/siteUrl' }] },
      ])
    },
  )
})
