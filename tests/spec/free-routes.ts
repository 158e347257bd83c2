import { describe, expect, it } from 'vitest'
import { getJson, type Service } from './asking.ts'

export function freeRoutes(service: Service): void {
  const get = (path: string, headers: Record<string, string> = {}) => service().fetch(path, { headers })
  const audio = () => `/audio/${service().storageKey}.mp3`

  describe('Free routes', () => {
    it.each(['/api/catalog.json', '/api/stats.json', '/api/cron-health.json', '/skills.json', '/openapi.json'])(
      'GET %s answers 200 with JSON',
      async (path) => {
        const answer = await get(path)
        expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json'])
      },
    )

    it('GET /api/stats.json may be cached for 5 minutes', async () => {
      expect((await get('/api/stats.json')).headers.get('cache-control')).toBe('public, max-age=300')
    })

    describe('GET /api/search.json', () => {
      it('takes q (required, from 2 characters), limit (1..50, by default 10) and collections', async () => {
        const byDefault = await getJson(service, '/api/search.json?q=th')
        expect([byDefault.results.length, byDefault.total > 10]).toEqual([10, true])
        const pages = await getJson(service, '/api/search.json?q=pay&collections=pages&limit=50')
        const collectionsIn = ({ results }: { results: { collection: string }[] }) =>
          new Set(results.map(({ collection }) => collection))
        expect(collectionsIn(pages)).toEqual(new Set(['pages']))
        const both = await getJson(service, '/api/search.json?q=pay&limit=50')
        expect(collectionsIn(both)).toEqual(new Set(['pages', 'posts']))
        const named = await getJson(service, '/api/search.json?q=pay&collections=posts,pages&limit=50')
        expect(named).toEqual(both)
      })

      it('counts total before the limit is applied', async () => {
        const one = await getJson(service, '/api/search.json?q=pay&limit=1')
        const many = await getJson(service, '/api/search.json?q=pay&limit=50')
        expect([one.results.length, one.total]).toEqual([1, many.total])
        expect(one.total).toBeGreaterThan(1)
      })

      it('ranks a match in the title (2) above what excerpt (1) and body (0.3) give together', async () => {
        const { results } = await getJson(service, '/api/search.json?q=price&limit=50')
        const inTitle = results.map(({ title }: { title: string }) => /\bprice/i.test(title))
        expect(inTitle).toEqual(inTitle.toSorted((one: boolean, other: boolean) => Number(other) - Number(one)))
        expect(new Set(inTitle)).toEqual(new Set([true, false]))
      })
    })

    it('GET /skills/{slug}/install answers text/plain, a shell script that fetches the paid raw route', async () => {
      const { items } = await getJson(service, '/skills.json')
      for (const { installUrl, rawUrl } of items) {
        const answer = await get(installUrl)
        expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/plain'])
        const script = await answer.text()
        expect(script).toMatch(/^#!\/bin\/sh\n/)
        expect(script).toContain(rawUrl)
      }
    })

    describe('GET /audio/{storage_key}.mp3', () => {
      it('answers 200 audio/mpeg with Accept-Ranges: bytes', async () => {
        const answer = await get(audio())
        const told = ['content-type', 'accept-ranges', 'content-length'].map((name) => answer.headers.get(name))
        expect([answer.status, ...told]).toEqual([200, 'audio/mpeg', 'bytes', '4096'])
      })

      it('answers 206 with Content-Range bytes N-M/TOTAL when a range can be had', async () => {
        const answer = await get(audio(), { range: 'bytes=10-19' })
        expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-range')]).toEqual([
          206,
          'audio/mpeg',
          'bytes 10-19/4096',
        ])
        expect((await answer.arrayBuffer()).byteLength).toBe(10)
      })
    })

    it.each([
      '/llms.txt',
      '/sitemap.xml',
      '/rss.xml',
      '/atom.xml',
      '/feed.json',
      '/podcast.xml',
      '/podcast',
      '/agents',
    ])('%s is a free discovery page', async (path) => {
      expect((await get(path)).status).toBe(200)
    })
  })
}
