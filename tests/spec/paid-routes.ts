import { describe, expect, it } from 'vitest'
import { testBaseUrl } from '../support/running-site.ts'
import { getJson, readTerms, type Service, toPost } from './asking.ts'

const rows = [
  ['POST', '/api/x402/media/image/generate', '50000', { title: 'A lamp' }],
  ['POST', '/api/x402/media/narrate', '50000', { text: 'Paid.' }],
  ['GET', '/api/x402/agent-seo/bot-catalog', '50000', undefined],
  ['POST', '/api/x402/llms/pack', '60000', { urls: ['https://news.test/a'] }],
  ['POST', '/api/x402/cms/session-status', '50000', { siteUrl: 'https://news.test' }],
  ['GET', '/llms-full.txt', '250000', undefined],
  ['GET', '/skills/feed-doctor/raw', '100000', undefined],
  ['GET', '/api/export/posts', '500000', undefined],
] as const

const probed = [
  '/',
  '/sitemap.xml',
  '/robots.txt',
  '/rss.xml',
  '/feed.json',
  '/llms.txt',
  '/llms-full.txt',
  '/skills.json',
  '/api/catalog.json',
  '/_cms/admin/',
  '/_cms/api/mcp',
  '/.well-known/oauth-protected-resource',
]

export function paidRoutes(service: Service): void {
  const buy = (path: string, init?: RequestInit) => service().pay(testBaseUrl + path, init)
  const ask = (path: string, body: unknown) => service().fetch(path, toPost(body))

  describe('Paid routes', () => {
    it.each(rows)('%s %s costs %s micro-USD and answers 402 until it is paid', async (method, path, amount, body) => {
      const answer = await service().fetch(path, body === undefined ? { method } : toPost(body))
      expect([answer.status, readTerms(answer).accepts[0].amount]).toEqual([402, amount])
    })

    it.each([
      ['/llms-full.txt', 'text/plain'],
      ['/skills/agent-ready-site/raw', 'text/plain'],
      ['/api/export/posts', 'application/json'],
      ['/api/x402/agent-seo/bot-catalog', 'application/json'],
    ])('GET %s is delivered as %s', async (path, type) => {
      const answer = await buy(path)
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
      expect((await answer.text()).length).toBeGreaterThan(1000)
    })

    it('GET /skills/{slug}/raw exists for every skill of the manifest', async () => {
      const { items } = await getJson(service, '/skills.json')
      for (const { rawUrl } of items) expect((await service().fetch(rawUrl)).status).toBe(402)
    })

    it('GET /llms-full.txt holds all published posts', async () => {
      const text = await (await buy('/llms-full.txt')).text()
      const posts = await publishedPosts()
      expect(posts.length).toBeGreaterThan(5)
      for (const url of posts) expect(text).toContain(`\n${url}\n`)
    })

    it('GET /api/export/posts holds all posts with metadata', async () => {
      const { posts, count } = await (await buy('/api/export/posts')).json()
      expect(posts).toHaveLength(count)
      const slugs = (await publishedPosts()).map((url) => url.slice(url.lastIndexOf('/') + 1))
      expect(posts.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(slugs.toSorted())
      expect(posts[0]).toMatchObject({ slug: expect.any(String), title: expect.any(String), tags: expect.any(Array) })
    })

    it('GET /api/x402/agent-seo/bot-catalog lists 16 or more crawlers', async () => {
      const { crawlers } = await (await buy('/api/x402/agent-seo/bot-catalog')).json()
      expect(crawlers.length).toBeGreaterThanOrEqual(16)
      for (const { userAgent, operator, purpose, docsUrl } of crawlers)
        for (const field of [userAgent, operator, purpose, docsUrl]) expect(field).toEqual(expect.any(String))
    })

    it('GET /api/x402/agent-seo/bot-catalog?inspect=1 answers free landing text', async () => {
      const answer = await service().fetch('/api/x402/agent-seo/bot-catalog?inspect=1')
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/plain'])
    })

    it('POST /api/x402/media/image/generate takes its styles and ratios, by default editorial-minimal and 16:9', async () => {
      for (const style of ['editorial-minimal', 'photographic', 'illustration'])
        for (const aspectRatio of ['16:9', '1:1', '4:3'])
          expect(await refusalOf('/api/x402/media/image/generate', { title: 'A', style, aspectRatio })).toBeUndefined()
      expect(await refusalOf('/api/x402/media/image/generate', { title: 'A', style: 'cubist' })).toBeDefined()
      expect(await defaultsOf('/api/x402/media/image/generate')).toMatchObject({
        style: 'editorial-minimal',
        aspectRatio: '16:9',
      })
    })

    it('POST /api/x402/media/narrate takes text, blocks, voiceId, speed and model, with their defaults', async () => {
      const path = '/api/x402/media/narrate'
      for (const model of ['speech-2.8-hd', 'speech-2.8-turbo'])
        expect(await refusalOf(path, { text: 'A', model, speed: 2, voiceId: 'English_SereneWoman' })).toBeUndefined()
      expect(await refusalOf(path, { blocks: [{ type: 'paragraph', text: 'A' }] })).toBeUndefined()
      expect(await refusalOf(path, { text: 'A', model: 'speech-1' })).toBeDefined()
      expect(await defaultsOf(path)).toMatchObject({
        voiceId: 'English_SereneWoman',
        speed: 1,
        model: 'speech-2.8-hd',
      })
    })

    it('POST /api/x402/cms/session-status probes the twelve paths, in order', async () => {
      service().serve('news.test', { '*': '<title>News</title><main><p>All of it.</p></main>' })
      const answer = await buy('/api/x402/cms/session-status', toPost({ siteUrl: 'https://news.test/' }))
      const { surfaces } = await answer.json()
      expect(surfaces.map(({ path }: { path: string }) => path)).toEqual(probed)
    })
  })

  /** The addresses of all posts in the sitemap. */
  async function publishedPosts(): Promise<string[]> {
    const sitemap = await (await service().fetch('/sitemap.xml')).text()
    return [...sitemap.matchAll(/<loc>([^<]*\/posts\/[^<]*)<\/loc>/g)].map(([, url = '']) => url)
  }

  /** The errors in a body, which the free 402 lists. */
  async function refusalOf(path: string, body: unknown): Promise<unknown> {
    const answer = await ask(path, body)
    expect(answer.status).toBe(402)
    return (await answer.json()).errors
  }

  /** The defaults of a body in the machine description. */
  async function defaultsOf(path: string): Promise<Record<string, unknown>> {
    const { paths } = await getJson(service, '/openapi.json')
    const { properties } = paths[path].post.requestBody.content['application/json'].schema
    return Object.fromEntries(Object.keys(properties).map((name) => [name, properties[name].default]))
  }
}
