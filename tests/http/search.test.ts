import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '../support/any-text.ts'
import { expectedFinds, expectedMisses } from '../support/expected-finds.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { makeEpisode } from '../support/make-episode.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

let site: RunningSite
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-search-'))
  // A narration, so that there are transcripts to search.
  await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: 'fair-play', units: 2 })
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9', dataDir })
})
afterAll(() => site?.kill('SIGTERM'))

const path = '/api/search.json'
const get = (query: string, init?: RequestInit) => site.fetch(`${path}?${query}`, init)

describe('GET /api/search.json', () => {
  it('responds as its schema says, with the query as it was sent', async () => {
    const answer = await get('q=%20Retry%20&limit=3')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const body = await answer.json()
    expect(findSchemaErrors(specSchemas.searchResult, body)).toEqual([])
    expect(body.query).toBe(' Retry ')
    expect(body.total).toBeGreaterThanOrEqual(body.results.length)
    expect(body.results.length).toBeLessThanOrEqual(3)
    expect(body.results[0]).toMatchObject({
      url: '/posts/never-charge-twice',
      collection: 'posts',
      hasNarration: false,
    })
    expect(body.results[0].snippet).toContain('<mark>')
    for (const { url } of body.results) expect((await site.fetch(url)).status).toBe(200)
  })

  it.each([path, '/api/transcripts/search.json'])(
    'responds with 304 to a client that has the response of %s already',
    async (of) => {
      const ask = (init?: RequestInit) => site.fetch(`${of}?q=payment`, init)
      const tag = (await ask()).headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\w-]{22}"$/)
      const again = await ask({ headers: { 'if-none-match': tag } })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
      const other = await site.fetch(`${of}?q=price`, { headers: { 'if-none-match': tag } })
      expect(other.status).toBe(200)
      const head = await ask({ method: 'HEAD' })
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
      expect((await ask({ method: 'POST' })).status).toBe(405)
    },
  )

  it('returns only the requested collections, and counts before the limit is applied', async () => {
    const [all, posts, pages] = await Promise.all(
      ['', '&collections=posts', '&collections=pages'].map(async (more) =>
        (await get(`q=payment&limit=1${more}`)).json(),
      ),
    )
    expect(all.total).toBe(posts.total + pages.total)
    expect([all.results.length, posts.results[0].collection, pages.results[0].collection]).toEqual([
      1,
      'posts',
      'pages',
    ])
    expect(pages.results[0]).not.toHaveProperty('hasNarration')
    expect(await (await get('q=payment&limit=1&collections=pages,posts')).json()).toEqual(all)
  })

  it('returns only the requested kinds, and counts before the limit is applied', async () => {
    const [all, ...each] = await Promise.all(
      ['', '&kinds=post,page', '&kinds=skill', '&kinds=content,hostedApi'].map(async (more) =>
        (await get(`q=payment&limit=1${more}`)).json(),
      ),
    )
    expect(each.map(({ total }) => total > 0)).toEqual([true, true, true])
    expect(all.total).toBe(each.reduce((sum, { total }) => sum + total, 0))
    expect(each[1].results.map(({ kind }: { kind: string }) => kind)).toEqual(['skill'])
  })

  it('lists first what was looked for, by titles, endings, beginnings and with a wrong letter', async () => {
    const found: [string, string | undefined][] = []
    for (const [query] of expectedFinds) {
      const { results } = await (await get(`${new URLSearchParams({ q: query, limit: '1' })}`)).json()
      found.push([query, results[0]?.url])
    }
    expect(found).toEqual(expectedFinds)
    expect(found.length).toBeGreaterThanOrEqual(50)
  })

  it('finds nothing where there is nothing', async () => {
    expect(expectedMisses.length).toBeGreaterThanOrEqual(10)
    for (const query of expectedMisses)
      expect(await (await get(`${new URLSearchParams({ q: query })}`)).json()).toEqual({ query, total: 0, results: [] })
  })

  it('says what each result is, what it costs, and where to listen', async () => {
    const first = async (query: string) => (await (await get(`${new URLSearchParams({ q: query })}`)).json()).results[0]
    expect(await first('ssrf')).toMatchObject({ collection: 'pages', kind: 'skill', price: '$0.10' })
    expect(await first('pack web pages')).toMatchObject({ collection: 'pages', kind: 'hostedApi', price: '$0.06+' })
    expect(await first('every post as data')).toMatchObject({ kind: 'content', price: '$0.50' })
    expect(await first('about')).toMatchObject({ kind: 'page' })
    const { listenUrl, kind } = await first('fair play')
    expect([listenUrl, kind]).toEqual([expect.stringMatching(/^\/posts\/fair-play\?t=\d+$/), 'post'])
    expect((await site.fetch(listenUrl)).status).toBe(200)
  })

  it.each([
    'q=zzzzzz',
    'q=!!',
    'q=%00%00',
    'q=%ff%fe',
    'q=%22%20OR%20*',
    'q=%F0%9F%98%80%F0%9F%98%80',
    `q=${'a%20'.repeat(128)}`,
  ])('does not fail for %s', async (query) => {
    const answer = await get(query)
    expect(answer.status).toBe(200)
    const { total, results } = await answer.json()
    expect(results.length).toBe(Math.min(10, total))
  })

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    ['q=a', 'q'],
    ['q=%20a%20', 'q'],
    ['q=%F0%9F%98%80', 'q'],
    [`q=${'a'.repeat(257)}`, 'q'],
    ['q=retry&q=retry', 'q'],
    ['q[]=retry', 'q'],
    ...['0', '51', '100', '-1', '1.5', '1e1', '', '%205', '5%20', '%2B5', '05', '0x5', 'ten', 'NaN', '５'].map(
      (limit) => [`q=retry&limit=${limit}`, 'limit'],
    ),
    ['q=retry&limit=5&limit=5', 'limit'],
    ...['', 'skills', 'posts,', ',posts', 'posts,skills', 'Posts', 'posts%20', 'posts;pages', 'posts,,pages'].map(
      (names) => [`q=retry&collections=${names}`, 'collections'],
    ),
    ['q=retry&collections=posts&collections=pages', 'collections'],
    ...['', 'skills', 'skill,', 'skill,%20page', 'Skill'].map((names) => [`q=retry&kinds=${names}`, 'kinds']),
    ['q=retry&kinds=skill&kinds=page', 'kinds'],
  ])('refuses ?%s and names the parameter', async (query, parameter) => {
    const answer = await get(query)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const problem = await answer.json()
    expect(problem).toMatchObject({ type: `${testBaseUrl}/problems/invalid-input`, status: 400 })
    expect(problem.errors).toEqual([{ parameter, detail: expect.stringMatching(/^(?:must|is) /) }])
  })

  it.each(['limit=1', 'limit=50', `q=${'é'.repeat(256)}`])('accepts the bounds: %s', async (query) => {
    expect((await get(query.startsWith('q') ? query : `q=retry&${query}`)).status).toBe(200)
  })

  it('allows HEAD without a body and OPTIONS with the methods, and nothing else', async () => {
    const head = await get('q=retry', { method: 'HEAD' })
    expect([head.status, Number(head.headers.get('content-length')) > 0, await head.text()]).toEqual([200, true, ''])
    const options = await get('', { method: 'OPTIONS', headers: { origin: 'https://elsewhere.test' } })
    expect([options.status, options.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await get('q=retry', { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('does not serve the file of the index', async () => {
    for (const place of ['/search.db', '/private/search.db']) expect((await site.fetch(place)).status).toBe(404)
  })
})

describe.each([
  ['/api/search.json', specSchemas.searchResult],
  ['/api/transcripts/search.json', specSchemas.transcriptHits],
])('GET %s', (place, schema) => {
  it('answers any query of 2 to 256 characters', { timeout: limitMs(600_000, 1_800_000) }, async () => {
    const operators = [
      '"',
      '*',
      '(',
      'NEAR(',
      ' AND ',
      ' OR ',
      ' NOT ',
      '^',
      ':',
      '-',
      '\0',
      '%',
      "'",
      ';--',
      '\\',
      '\ud800',
    ]
    const any = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 2, maxLength: 256 }),
      fc.string({ unit: 'grapheme', minLength: 2, maxLength: 256 }),
      fc
        .array(fc.constantFrom(...operators, 'fair', 'play', 'the', 'p', ' ', '東京', '😀'), { maxLength: 60 })
        .map((parts) => parts.join('')),
    )
    const asked = any
      // As a client sends it: half a surrogate pair is replaced with U+FFFD.
      .map((text) => [...text.toWellFormed()].slice(0, 256).join(''))
      .filter((text) => [...text.trim()].length >= 2)
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 20, maxLength: 20 }), async (queries) => {
        const answers = queries.map(async (query) => {
          const answer = await site.fetch(`${place}?${new URLSearchParams({ q: query })}`)
          const body = await answer.json()
          expect([answer.status, body.query]).toEqual([200, query])
          expect(findSchemaErrors(schema, body)).toEqual([])
        })
        await Promise.all(answers)
      }),
      { ...seed, numRuns: figure(25, 5000) },
    )
  })
})
