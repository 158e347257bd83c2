import { beforeAll, describe, expect, it } from 'vitest'
import { testBaseUrl } from '../support/running-site.ts'
import { getJson, readTerms, type Service, toPost } from './asking.ts'

const pack = '/api/x402/llms/pack'
const narrate = '/api/x402/media/narrate'
const toUrls = (count: number): string[] => Array.from({ length: count }, (_, at) => `https://news.test/${at}`)

export function limits(service: Service): void {
  /** The errors in a body, which the free 402 lists. */
  const refusalOf = async (path: string, body: unknown): Promise<unknown> =>
    (await (await service().fetch(path, toPost(body))).json()).errors

  const packSlowly = async () => {
    service().serve('slow.test', {
      '/never': () => {},
      '/at-once': '<title>At once</title><main><p>Here already.</p></main>',
    })
    const begun = performance.now()
    const urls = ['https://slow.test/never', 'https://slow.test/at-once']
    const answer = await service().pay(testBaseUrl + pack, toPost({ urls }))
    return { failed: answer.headers.get('x-pack-failed'), seconds: (performance.now() - begun) / 1000 }
  }
  let packed: ReturnType<typeof packSlowly>
  // It begins with the first section, so that no test waits for it.
  beforeAll(() => {
    packed = packSlowly()
  })

  describe('Limits', () => {
    it.each([
      ['packer: no URL', pack, { urls: [] }],
      ['packer: 21 URLs', pack, { urls: toUrls(21) }],
      ['packer: plain http', pack, { urls: ['http://news.test/'] }],
      ['packer: maxCharsPerPage 999', pack, { urls: toUrls(1), maxCharsPerPage: 999 }],
      ['packer: maxCharsPerPage 50001', pack, { urls: toUrls(1), maxCharsPerPage: 50_001 }],
      ['narrate: no character', narrate, { text: '' }],
      ['narrate: no block', narrate, { blocks: [] }],
      ['narrate: blocks without words', narrate, { blocks: [{ type: 'image' }] }],
      ['narrate: 9501 characters', narrate, { text: 'a'.repeat(9501) }],
      ['narrate: speed 0.4', narrate, { text: 'A', speed: 0.4 }],
      ['narrate: speed 2.1', narrate, { text: 'A', speed: 2.1 }],
      ['diagnostic: plain http', '/api/x402/cms/session-status', { siteUrl: 'http://news.test' }],
      ['image: no title', '/api/x402/media/image/generate', {}],
    ])('%s is refused', async (_, path, body) => {
      expect(await refusalOf(path, body)).toEqual([expect.objectContaining({ pointer: expect.any(String) })])
    })

    it.each([
      ['packer: 20 URLs', pack, { urls: toUrls(20) }],
      ['packer: maxCharsPerPage 1000', pack, { urls: toUrls(1), maxCharsPerPage: 1000 }],
      ['packer: maxCharsPerPage 50000', pack, { urls: toUrls(1), maxCharsPerPage: 50_000 }],
      ['narrate: 9500 characters', narrate, { text: 'a'.repeat(9500) }],
      ['narrate: speed 0.5', narrate, { text: 'A', speed: 0.5 }],
      ['narrate: speed 2', narrate, { text: 'A', speed: 2 }],
      ['narrate: a text beside no block at all', narrate, { text: 'A', blocks: [] }],
      ['narrate: a text beside blocks without words', narrate, { text: 'A', blocks: [{ type: 'image' }] }],
    ])('%s is taken', async (_, path, body) => {
      expect(await refusalOf(path, body)).toBeUndefined()
    })

    it.each([
      [1, '60000'],
      [5, '100000'],
      [20, '250000'],
    ])('packer price for %i URLs: %s micro-USD', async (count, amount) => {
      const answer = await service().fetch(pack, toPost({ urls: toUrls(count) }))
      expect(readTerms(answer).accepts[0].amount).toBe(amount)
    })

    it.each(['q=a', 'limit=10', 'q=pay&limit=0', 'q=pay&limit=51', 'q=pay&limit=ten', 'q=pay&collections=skills'])(
      'search refuses %s',
      async (query) => {
        const answer = await service().fetch(`/api/search.json?${query}`)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
      },
    )

    it('search takes limits from 1 to 50', async () => {
      for (const limit of [1, 50])
        expect((await service().fetch(`/api/search.json?q=pay&limit=${limit}`)).status).toBe(200)
    })

    it('packer: a URL has 15 seconds to answer', async () => {
      const { failed, seconds } = await packed
      expect(failed).toBe('1')
      expect(seconds).toBeGreaterThan(15)
      expect(seconds).toBeLessThan(30)
    })

    it('statistics window: the 30 days that end today', async () => {
      const { last30Days, updatedAt } = await getJson(service, '/api/stats.json')
      const days = last30Days.map(({ date }: { date: string }) => Date.parse(date))
      expect(new Date(days.at(-1)).toISOString().slice(0, 10)).toBe(updatedAt.slice(0, 10))
      expect(days.at(-1) - days[0]).toBe(29 * 24 * 60 * 60 * 1000)
    })

    it('image generation time: a payment stays good for well over 100 seconds', async () => {
      const answer = await service().fetch('/api/x402/media/image/generate', toPost({ title: 'A lamp' }))
      expect(readTerms(answer).accepts[0].maxTimeoutSeconds).toBeGreaterThanOrEqual(300)
    })
  })
}
