import { describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { heardPost, heardSentence, testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { expectShape, fields, getJson, type Service, toPost } from './asking.ts'

const string = { type: 'string' }
const boolean = { type: 'boolean' }

/** The pointers of the catalog, by the names that the interface gives them. */
const pointerKeys = [
  'skills_manifest',
  'llms_discovery',
  'openapi',
  'mcp',
  'mcp_oauth',
  'agent_docs',
  'sitemap',
  'rss',
  'atom',
  'podcast',
  'podcast_landing',
  'json_feed',
  'audio_template',
  'stats',
  'cron_health',
  'search',
  'transcript_search',
]

/** The products that the interface counts, in its order. A shop may sell others as well. */
const named = [
  ...['agent-ready-site', 'feed-doctor', 'mcp-server-craft', 'podcast-from-posts'],
  ...['sqlite-in-production', 'ssrf-safe-fetch', 'x402-buyer', 'x402-seller'],
  ...['image-generate', 'narrate', 'bot-catalog', 'llms-pack', 'session-status'],
  ...['llms-full', 'posts-export'],
]

const storeRows = [
  ['tip_3', 'tip', 3, '3000000', null, ['supporter', 'badge_tip']],
  ['tip_10', 'tip', 10, '10000000', null, ['supporter', 'badge_tip', 'frame_gold']],
  ['tip_25', 'tip', 25, '25000000', null, ['supporter', 'badge_tip', 'frame_gold', 'frame_legend', 'wall_shout']],
  ['death_frames_pro', 'cosmetic', 5, '5000000', 100, ['death_frames_pro', 'frame_neon', 'frame_void']],
  ['agent_cup_entry', 'tournament', 5, '5000000', 50, ['agent_cup_entry']],
]

export function resources(service: Service): void {
  describe('Resources and their fields', () => {
    it('Payment parameters object (x402)', async () => {
      const { skills, hostedApis, content } = await getJson(service, '/api/catalog.json')
      const { items } = await getJson(service, '/skills.json')
      for (const { x402 } of [...skills, ...hostedApis, ...content, ...items])
        expectShape(specSchemas.paymentParameters, x402)
    })

    describe('Master catalog (GET /api/catalog.json)', () => {
      it('has the required fields and entries', async () => {
        const catalog = await getJson(service, '/api/catalog.json')
        expectShape(specSchemas.catalog, catalog)
        expect(catalog.source).toBe(`${testBaseUrl}/api/catalog.json`)
      })

      it('holds 8 skills at $0.10 (GET, text/plain), 5 hosted APIs, 2 content items: 15 in all', async () => {
        const { counts, skills, hostedApis, content } = await getJson(service, '/api/catalog.json')
        const isNamed = ({ slug }: { slug: string }) => named.includes(slug)
        const lanes = [skills, hostedApis, content]
        expect(
          lanes
            .flat()
            .filter(isNamed)
            .map(({ slug }) => slug),
        ).toEqual(named)
        expect(lanes.map((lane) => lane.filter(isNamed).length)).toEqual([8, 5, 2])
        const [ofSkills, ofApis, ofContent] = lanes.map(({ length }) => length)
        const total = lanes.flat().length
        expect(counts).toEqual({ skills: ofSkills, hostedApis: ofApis, content: ofContent, total })
        for (const { price, method, mimeType } of skills)
          expect([price, method, mimeType]).toEqual(['$0.10', 'GET', 'text/plain'])
      })

      it('shows a trailing plus for the packer alone, whose price is a minimum', async () => {
        const { skills, hostedApis, content } = await getJson(service, '/api/catalog.json')
        const minimums = [...skills, ...hostedApis, ...content].filter(({ price }) => price.endsWith('+'))
        expect(minimums.map(({ slug, price }) => [slug, price])).toEqual([['llms-pack', '$0.06+']])
      })

      it('gives skills an installUrl and a pipe-to-shell installCommand, and bodies a bodyShape', async () => {
        const { skills, hostedApis } = await getJson(service, '/api/catalog.json')
        for (const { installUrl, installCommand } of skills)
          expect(installCommand).toBe(`curl -fsSL ${installUrl} | sh`)
        for (const { method, bodyShape } of hostedApis) expect(bodyShape !== undefined).toBe(method === 'POST')
      })

      it.each(pointerKeys)('points to %s, which responds', async (key) => {
        const { pointers } = await getJson(service, '/api/catalog.json')
        expect(pointers[key]).toMatch(new RegExp(`^${RegExp.escape(testBaseUrl)}/`))
        const url = pointers[key].replace('{storage_key}', service().storageKey)
        const answer = await service().fetch(key.endsWith('search') ? `${url}?q=payment` : url)
        expect(answer.status).toBe(200)
        expect(key === 'audio_template').toBe(pointers[key].includes('{storage_key}'))
      })
    })

    it('Skills manifest (GET /skills.json)', async () => {
      const manifest = await getJson(service, '/skills.json')
      expectShape(specSchemas.skillsManifest, manifest)
      expect([manifest.count, manifest.currency, manifest.network]).toEqual([8, 'USDC', 'eip155:8453'])
      expect(manifest.items).toHaveLength(manifest.count)
      for (const { slug, installUrl, previewUrl } of manifest.items)
        expect([installUrl, previewUrl]).toEqual(
          [manifest.installPattern, manifest.previewPattern].map((pattern) => pattern.replace(':slug', slug)),
        )
    })

    it('Activity statistics (GET /api/stats.json)', async () => {
      await (await service().pay(`${testBaseUrl}/skills/x402-seller/raw`)).text()
      const statistics = await getJson(service, '/api/stats.json')
      expectShape(specSchemas.statistics, statistics)
      const dates = statistics.last30Days.map(({ date }: { date: string }) => date)
      expect([dates.length, dates]).toEqual([30, dates.toSorted()])
      expect(statistics.topResources).toContainEqual({ path: '/skills/x402-seller/raw', count: 1, totalCents: 10 })
      expect(statistics.lastSaleAt).not.toBeNull()
    })

    it('Scheduled-job health (GET /api/cron-health.json)', async () => {
      expectShape(specSchemas.cronHealth, await getJson(service, '/api/cron-health.json'))
    })

    it('Search result (GET /api/search.json)', async () => {
      const result = await getJson(service, '/api/search.json?q=pay&limit=50')
      expectShape(specSchemas.searchResult, result)
      const { results } = result
      expect(result.query).toBe('pay')
      expect(result.total).toBeGreaterThanOrEqual(results.length)
      for (const { snippet, collection, hasNarration } of results) {
        if (collection === 'pages') expect(hasNarration).toBeUndefined()
        expect((snippet ?? '').replaceAll(/<\/?mark>/g, '')).not.toMatch(/<\w/)
      }
      expect(results.some(({ snippet }: { snippet?: string }) => snippet?.includes('<mark>'))).toBe(true)
      const fair = await getJson(service, '/api/search.json?q=fair+play')
      expect(fair.results.find(({ url }: { url: string }) => url.endsWith(heardPost))).toMatchObject({
        collection: 'posts',
        hasNarration: true,
        narrationDuration: '04:07',
      })
    })

    it('Transcript hit list', async () => {
      const list = await getJson(service, '/api/transcripts/search.json?q=lantern')
      expectShape(specSchemas.transcriptHits, list)
      expect(list).toMatchObject({
        ok: true,
        query: 'lantern',
        count: 1,
        hits: [
          {
            post: { slug: heardPost },
            text: heardSentence,
            start: 7,
            startFormatted: '0:07',
            deepLinkUrl: `${testBaseUrl}/posts/${heardPost}?t=7`,
          },
        ],
      })
    })

    describe('Other response shapes', () => {
      it('Packer: title line, URL line, body, sections separated by three hyphens', async () => {
        service().serve('news.test', {
          '/a': '<title>One</title><main><p>First words of a page.</p></main>',
          '/b': '<title>Two</title><main><p>Second words of a page.</p></main>',
        })
        const urls = ['https://news.test/a', 'https://news.test/b']
        const answer = await service().pay(`${testBaseUrl}/api/x402/llms/pack`, toPost({ urls }))
        expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
        const sections = (await answer.text()).split('\n---\n').map((section) => section.split('\n'))
        // The body begins with a line of facts about the page.
        expect(sections.map(([title, address, ...body]) => [title, address, body.at(-1)])).toEqual([
          ['One', urls[0], 'First words of a page.'],
          ['Two', urls[1], 'Second words of a page.'],
        ])
      })

      it('Site diagnostic: siteUrl, probedAt, summary, surfaces, findings, recommendations', async () => {
        service().serve('news.test', { '/': '<title>News</title><main><p>All of it.</p></main>' })
        const body = { siteUrl: 'https://news.test' }
        const answer = await service().pay(`${testBaseUrl}/api/x402/cms/session-status`, toPost(body))
        const report = await answer.json()
        const list = { type: 'array' }
        expectShape(
          fields({
            siteUrl: string,
            probedAt: { type: 'string', format: 'date-time' },
            summary: { type: 'object' },
            surfaces: list,
            findings: list,
            recommendations: list,
          }),
          report,
        )
        expect(report.siteUrl).toBe(body.siteUrl)
      })

      it('Image: raw JPEG bytes', async () => {
        const answer = await service().pay(
          `${testBaseUrl}/api/x402/media/image/generate`,
          toPost({ title: 'A lamp', style: 'editorial-minimal', aspectRatio: '1:1' }),
        )
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
        expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
      })

      it('Narration: raw MP3 bytes', async () => {
        const answer = await service().pay(`${testBaseUrl}/api/x402/media/narrate`, toPost({ text: 'Paid.' }))
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(bytes.subarray(0, 3).toString() === 'ID3' || bytes[0] === 0xff).toBe(true)
      })
    })

    it('Game store catalog (GET {game_url}/api/store)', async () => {
      const store = await getJson(service, `${testGameUrl}/api/store`)
      expectShape(specSchemas.storeCatalog, store)
      const rows = store.products.map((product: Record<string, unknown>) =>
        ['sku', 'kind', 'priceUsd', 'amountAtomic', 'creditPrice', 'grants'].map((field) => product[field]),
      )
      expect(rows).toEqual(storeRows)
      expect([store.policy, store.payment, store.network]).toEqual(['cosmetics_and_tips_only', 'x402', 'eip155:8453'])
    })

    it.each(['/api/mcp', '/api/agent', '/api/skill'])('Game access descriptor (%s)', async (path) => {
      const links = ['skill_md', 'mcp', 'mcp_html', 'agent', 'agents_md', 'llms', 'ws', 'play', 'store']
      const access = await getJson(service, testGameUrl + path)
      expectShape(
        fields({
          name: string,
          title: string,
          description: string,
          gate: boolean,
          free_to_play: boolean,
          pay_to_win: boolean,
          start_here: { type: 'array', items: string },
          links: fields(Object.fromEntries(links.map((name) => [name, { type: 'string', format: 'uri' }]))),
          cursor_config: fields({
            mcpServers: {
              type: 'object',
              additionalProperties: fields({ env: fields({ DUNGEON_WS_URL: string, DUNGEON_HTTP_URL: string }) }),
            },
          }),
          quick_ws: { type: 'array', items: fields({ type: string }) },
          store: fields({ payment: string, catalog: string, unlock: string }),
        }),
        access,
      )
      for (const name of links.filter((link) => link !== 'ws'))
        expect((await service().fetch(access.links[name])).status).toBe(200)
    })

    it('states store revenue in products and purchases, and counts a purchase at once', async () => {
      const readStore = () => getJson(service, `${testGameUrl}/api/store`)
      const { revenue, products } = await readStore()
      expect(revenue).toEqual({
        products: products.length,
        configured: true,
        payTo: `${sandboxPayTo.slice(0, 6)}…${sandboxPayTo.slice(-4)}`,
        totalPurchases: expect.any(Number),
        totalUsd: expect.any(Number),
      })
      const tip = toPost({ sku: 'tip_10', playerName: 'Patron' })
      expect((await service().pay(`${testGameUrl}/api/store/unlock`, tip)).status).toBe(200)
      const { totalPurchases, totalUsd } = revenue
      expect((await readStore()).revenue).toEqual({
        ...revenue,
        totalPurchases: totalPurchases + 1,
        totalUsd: totalUsd + 10,
      })
    })
  })
}
