import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { openSearchIndex } from '../../src/search/open-search-index.ts'
import type { SearchDocument } from '../../src/search/search-document.ts'
import type { Kind } from '../../src/search/search-query.ts'
import { searchTerms } from '../../src/search/search-terms.ts'
import { toTokens } from '../../src/search/to-tokens.ts'
import { writeSearchIndex } from '../../src/search/write-search-index.ts'
import { anyCharacter } from '../support/any-text.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { makeSearchIndex, samplePost } from '../support/search-library.ts'

const removals: (() => void)[] = []
afterAll(() => {
  for (const remove of removals) remove()
})
function open(...given: Parameters<typeof makeSearchIndex>) {
  const index = makeSearchIndex(...given)
  removals.push(index.remove)
  return index
}
const everywhere: ('posts' | 'pages')[] = ['posts', 'pages']
const ask = (q: string, limit = 50) => ({ q, limit, collections: everywhere })

const words = ['sun', 'sunny', 'sunset', 'moon', 'mo', 'm', 'rain', 'été', '東京', '京都', 'ray']
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((chosen) => chosen.join(' '))
const library = fc
  .array(fc.record({ title: text, excerpt: text, body: text, isPage: fc.boolean() }), { maxLength: 12 })
  .map((all) =>
    all.map(({ isPage, ...fields }, number) =>
      samplePost(number, {
        ...fields,
        ...(isPage && { collection: 'pages', url: `/page-${number}`, publishedAt: undefined }),
      }),
    ),
  )
const query = fc
  .array(fc.constantFrom(...words, 'su', 'r', '東', 'snow'), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(' '))

/** The scoring rule by reading every document: tenths, or undefined if a term is missing. */
function naiveScore({ title, excerpt, body }: SearchDocument, asked: string): number | undefined {
  const { exact, prefix } = searchTerms(asked)
  const fields = [title, excerpt, body].map((field) => [...toTokens(field)])
  const tests = exact.map((wanted) => (term: string) => term === wanted)
  if (prefix !== undefined) tests.push((term) => term.startsWith(prefix))
  let score = 0
  for (const isTerm of tests) {
    const has = fields.map((tokens) => tokens.some(({ term }) => isTerm(term)))
    if (!has.includes(true)) return undefined
    score += [20, 10, 3].reduce((sum, points, field) => sum + (has[field] ? points : 0), 0)
  }
  return tests.length === 0 ? undefined : score
}

describe('search', () => {
  it('ranks a title above an excerpt above a body, per term', () => {
    const index = open([
      samplePost(9, { title: 'other', body: 'whale '.repeat(50) }),
      samplePost(1, { title: 'whale song', body: 'long '.repeat(5000) }),
      samplePost(5, { title: 'other', excerpt: 'a whale' }),
      samplePost(6, { title: 'other', excerpt: 'a whale', body: 'whale' }),
    ])
    expect(index.search(ask('whale')).results.map(({ url }) => url)).toEqual(
      ['1', '6', '5', '9'].map((number) => `/posts/post-${number}`),
    )
  })

  it('ranks the newer of two equals first, and pages after posts', () => {
    const same = { title: 'tide' }
    const page = samplePost(9, { ...same, collection: 'pages', url: '/tide', publishedAt: undefined })
    const index = open([page, samplePost(1, same), samplePost(3, same), samplePost(2, same)])
    expect(index.search(ask('tide')).results.map(({ url }) => url)).toEqual([
      '/posts/post-3',
      '/posts/post-2',
      '/posts/post-1',
      '/tide',
    ])
  })

  it('finds Japanese and Korean words inside longer runs', () => {
    const index = open([
      samplePost(1, { body: '私は東京都に住んでいます。' }),
      samplePost(2, { body: '저는 한국어를 배웁니다' }),
    ])
    const found = (asked: string) => index.search(ask(asked)).results.map(({ url }) => url)
    expect([found('東京'), found('都'), found('京東'), found('한국어')]).toEqual([
      ['/posts/post-1'],
      ['/posts/post-1'],
      [],
      ['/posts/post-2'],
    ])
  })

  it('states for posts, and never for pages, whether there is a narration', () => {
    const index = open(
      [
        samplePost(1, { title: 'wave' }),
        samplePost(2, { title: 'wave' }),
        samplePost(3, { title: 'wave', collection: 'pages', slug: 'post-1', url: '/wave', publishedAt: undefined }),
      ],
      (slug) => (slug === 'post-1' ? { duration: '04:07', findStart: () => 7 } : undefined),
    )
    const narrations = index.search(ask('wave')).results.map(({ url, ...result }) => {
      const { hasNarration, narrationDuration, listenUrl } = result
      return [url, 'hasNarration' in result, hasNarration, narrationDuration, listenUrl]
    })
    expect(narrations).toEqual([
      ['/posts/post-2', true, false, undefined, undefined],
      ['/posts/post-1', true, true, '04:07', '/posts/post-1?t=7'],
      ['/wave', false, undefined, undefined, undefined],
    ])
  })

  it('finds words with other endings, in English only', () => {
    const index = open([
      samplePost(1, { body: 'Payments were narrated.' }),
      samplePost(2, { body: 'a payment' }),
      samplePost(3, { body: 'une walking', language: 'fr' }),
    ])
    const found = (asked: string) => index.search(ask(asked)).results.map(({ url, snippet }) => [url.at(-1), snippet])
    expect(found('payment').toSorted()).toEqual([
      ['1', '<mark>Payments</mark> were narrated.'],
      ['2', 'a <mark>payment</mark>'],
    ])
    expect(found('narrating payments')).toEqual([['1', '<mark>Payments</mark> were <mark>narrated</mark>.']])
    expect([found('payer'), found('walked')]).toEqual([[], []])
  })

  it('finds Arabic words with and without their article', () => {
    const { search } = open([
      samplePost(1, { body: 'ذهبت إلى المَدرَسةِ صباحا' }),
      samplePost(2, { body: 'كتبت مدرسة' }),
      samplePost(3, { body: 'والله' }),
    ])
    const slugsOf = (q: string) => search(ask(q)).results.map(({ url }) => url)
    expect(slugsOf('مدرسة').toSorted()).toEqual(slugsOf('المدرسه').toSorted())
    expect(slugsOf('المدرسة')).toHaveLength(2)
    expect(slugsOf('المد')).toHaveLength(1)
    expect(slugsOf('الله')).toHaveLength(0)
    expect(search(ask('مدرسة')).results.map(({ snippet }) => snippet)).toContain('ذهبت إلى <mark>المَدرَسةِ</mark> صباحا')
  })

  it('finds compounds by their last part if a word does not occur alone', () => {
    const { search } = open([
      samplePost(1, { body: 'Die Donaudampfschifffahrtsgesellschaftskapitänsmütze' }),
      samplePost(2, { body: 'Ein Süßwasserfisch im Süßwasser' }),
    ])
    expect(search(ask('Mütze')).results.map(({ snippet }) => snippet)).toEqual([
      'Die <mark>Donaudampfschifffahrtsgesellschaftskapitänsmütze</mark>',
    ])
    expect([search(ask('wasser fisch')).total, search(ask('hütze')).total]).toEqual([1, 0])
  })

  it('corrects one letter of a word that does not occur, and hardly matches other words', () => {
    const index = open([samplePost(1, { title: 'Wallets', body: 'while a receipt is kept' })])
    const total = (asked: string) => index.search(ask(asked)).total
    expect(['walets', 'wallest', 'wollets', 'wallets', 'wlalets', 'walet', 'reciept'].map(total)).toEqual(
      Array.from({ length: 7 }, () => 1),
    )
    // Not corrected: two letters; the first letter; one letter in short or rare words; words that are too short.
    expect(['wolets', 'ballets', 'whale', 'receibt', 'kpet'].map(total)).toEqual([0, 0, 0, 0, 0])
    expect(open([samplePost(1, { body: 'narrations' })]).search(ask('narations')).results[0]?.snippet).toBe(
      '<mark>narrations</mark>',
    )
  })

  it('finds a prefix of many words as it finds one of few', () => {
    const index = open(Array.from({ length: 200 }, (_, number) => samplePost(number, { body: `crowd${number} calm` })))
    expect(
      ['c', 'cr', 'crowd', 'crowd1', 'crowd19', 'crowd199', 'crowd1999'].map(
        (asked) => index.search(ask(`calm ${asked}`)).total,
      ),
    ).toEqual([200, 200, 200, 111, 11, 1, 0])
  })

  it('finds frequent and rare words together as it finds each, also among posts or pages only', () => {
    const index = open(
      Array.from({ length: 700 }, (_, number) =>
        samplePost(number, {
          body: `all ${number % 3 === 0 ? 'thirds' : ''} ${number % 100 === 99 ? 'hundredths' : ''} n${number}`,
          ...(number < 100 && { collection: 'pages', url: `/n${number}`, publishedAt: undefined }),
        }),
      ),
    )
    const totals = (asked: string) =>
      [everywhere, everywhere.slice(0, 1), everywhere.slice(1)].map(
        (collections) => index.search({ q: asked, limit: 3, collections }).total,
      )
    expect(
      ['all', 'thirds', 'hundredths', 'all thirds', 'hundredths all thirds', 'n699 thirds all'].map(totals),
    ).toEqual([
      [700, 600, 100],
      [234, 200, 34],
      [7, 6, 1],
      [234, 200, 34],
      [3, 2, 1],
      [1, 1, 0],
    ])
  })

  it('finds documents of the requested kinds even if fifty others match better', () => {
    const offers = (['skill', 'hostedApi', 'content'] as const).map((kind) => ({ kind, price: '$0.10' }))
    const index = open([
      ...Array.from({ length: 60 }, (_, number) => samplePost(number, { title: 'rain' })),
      ...[...Array.from({ length: 60 }, () => ({ title: 'rain' })), ...offers, ...offers].map((fields, number) =>
        samplePost(100 + number, {
          body: 'rain',
          ...fields,
          collection: 'pages',
          url: `/n${number}`,
          publishedAt: undefined,
        }),
      ),
    ])
    const find = (...kinds: Kind[]) => {
      const { total, results } = index.search({ ...ask('rain'), kinds })
      return [total, [...new Set(results.map(({ kind }) => kind))].toSorted()]
    }
    expect([index.search(ask('rain')).total, find('skill'), find('hostedApi', 'content')]).toEqual([
      126,
      [2, ['skill']],
      [4, ['content', 'hostedApi']],
    ])
    expect([find('page'), find('post'), find('skill', 'post')]).toEqual([
      [60, ['page']],
      [60, ['post']],
      [62, ['post']],
    ])
    expect(index.search({ ...ask('rain'), collections: ['posts'], kinds: ['skill'] })).toMatchObject({ total: 0 })
    expect(index.search({ ...ask('rain'), collections: ['pages'], kinds: ['skill', 'post'] })).toMatchObject({
      total: 2,
    })
  })

  it('refuses an index of another version', () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-version-'))
    removals.push(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'search.db')
    writeSearchIndex(file, [samplePost(1, { body: 'rain' })])
    const db = new DatabaseSync(file)
    db.exec('pragma user_version = 1')
    db.close()
    expect(() => openSearchIndex(file, { narrationOf: () => undefined })).toThrow('version 1')
  })

  it('counts and orders by the documented rule, for any library', { timeout: limitMs(600_000, 1_800_000) }, () => {
    fc.assert(
      fc.property(
        library,
        fc.array(query, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (documents, queries, limit) => {
          const index = makeSearchIndex(documents)
          try {
            for (const asked of queries)
              for (const collections of [everywhere, everywhere.slice(0, 1), everywhere.slice(1)]) {
                const scores = new Map<string, number>()
                for (const document of documents) {
                  const score = collections.includes(document.collection as 'posts')
                    ? naiveScore(document, asked)
                    : undefined
                  if (score !== undefined) scores.set(document.url, score)
                }
                const { total, results } = index.search({ q: asked, limit, collections })
                const best = [...scores.values()].toSorted((a, b) => b - a).slice(0, limit)
                expect([total, results.map(({ url }) => scores.get(url))]).toEqual([scores.size, best])
              }
          } finally {
            index.remove()
          }
        },
      ),
      { numRuns: figure(300, 20_000), ...seed },
    )
  })

  it('breaks ties by the relevance of FTS5', () => {
    const random = (place: number) => words.slice(0, 7)[(place * 7919 + ((place * place) % 13)) % 7] ?? ''
    const some = (from: number, count: number) =>
      Array.from({ length: count }, (_, place) => random(from + place)).join(' ')
    const documents = Array.from({ length: 60 }, (_, number) =>
      samplePost(number, { body: some(number * 31, 3 + ((number * 11) % 40)) }),
    )
    const index = open(documents)
    const fts = new DatabaseSync(':memory:')
    fts.exec(
      "create virtual table docs using fts5(title, excerpt, body, url unindexed, tokenize = 'unicode61 remove_diacritics 2')",
    )
    const insert = fts.prepare('insert into docs values (?, ?, ?, ?)')
    for (const { title, excerpt, body, url } of documents) insert.run(title, excerpt, body, url)
    const find = fts.prepare('select url, bm25(docs, 2.0, 1.0, 0.3) as worse from docs where docs match ?')
    for (const asked of ['moon', 'rain sun', 'su', 'mo sunny', 'ete m']) {
      const match = asked
        .split(' ')
        .map((word, place, all) => (place === all.length - 1 ? `"${word}"*` : `"${word}"`))
        .join(' ')
      const worse = new Map(find.all(match).map(({ url, worse }) => [url, Number(worse)]))
      const order = index.search(ask(asked, 60)).results.map(({ url }) => worse.get(url) ?? Number.NaN)
      expect(order.length).toBe(worse.size)
      for (const [place, value] of order.entries())
        expect(value).toBeGreaterThanOrEqual((order[place - 1] ?? -Infinity) - 1e-9)
    }
  })

  it('answers any query of up to 256 characters', { timeout: limitMs(600_000, 1_800_000) }, () => {
    const index = open(
      Array.from({ length: 30 }, (_, number) =>
        samplePost(number, { title: words.join(' '), body: 'NEAR AND OR NOT a* "b" 😀 é' }),
      ),
    )
    const operators = fc.constantFrom(
      '"',
      '*',
      '(',
      ')',
      'NEAR(',
      ' AND ',
      ' OR ',
      ' NOT ',
      '^',
      ':',
      '-',
      '\0',
      '%',
      '_',
      "'",
      ';--',
      '\\',
      ...words,
    )
    const any = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 256 }),
      fc.array(operators, { maxLength: 60 }).map((parts) => parts.join('').slice(0, 256)),
    )
    fc.assert(
      fc.property(any, (asked) => {
        const { query: echoed, total, results } = index.search(ask(asked, 3))
        if (echoed !== asked || results.length !== Math.min(3, total)) throw new Error(JSON.stringify(asked))
      }),
      { numRuns: figure(20_000, 1_000_000), ...seed },
    )
  })
})
