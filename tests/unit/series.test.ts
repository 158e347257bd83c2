import { describe, expect, it } from 'vitest'
import { readFrontMatter } from '../../src/content/front-matter.ts'
import { postSchema } from '../../src/content/post-schema.ts'
import { findSeriesPlace, groupBySeries, seriesPath } from '../../src/content/series.ts'

const post = (id: string, day: number, series?: { name: string; part?: number }) => ({
  id,
  data: { publishedAt: new Date(Date.UTC(2026, 0, day)), ...(series && { series }) },
})
const name = 'Selling over HTTP'
const partsOf = (posts: Parameters<typeof groupBySeries>[0]) =>
  groupBySeries(posts).map(({ slug, count, parts }) => [slug, count, parts.map((part) => [part.number, part.post.id])])

describe('a series', () => {
  it('orders its posts by date, and has an address from its name', () => {
    expect(partsOf([post('c', 3, { name }), post('x', 2), post('a', 1, { name })])).toEqual([
      [
        'selling-over-http',
        2,
        [
          [1, 'a'],
          [2, 'c'],
        ],
      ],
    ])
    expect(seriesPath({ slug: groupBySeries([post('a', 1, { name: 'Größe & 支払い!' })])[0]?.slug ?? '' })).toBe(
      '/series/größe-支払い',
    )
  })

  it('orders its posts by number if they have numbers, and counts parts that are not out yet', () => {
    const [one, two, four] = [1, 2, 4].map((part) => ({ name, part }))
    expect(partsOf([post('two', 9, two), post('four', 5, four), post('one', 3, one)])).toEqual([
      [
        'selling-over-http',
        4,
        [
          [1, 'one'],
          [2, 'two'],
          [4, 'four'],
        ],
      ],
    ])
  })

  it('knows the position of a post, and the next part', () => {
    const all = groupBySeries([post('b', 2, { name }), post('a', 1, { name })])
    expect(findSeriesPlace(all, 'a')).toMatchObject({ number: 1, next: { id: 'b' } })
    expect(findSeriesPlace(all, 'b')).toMatchObject({ number: 2, next: undefined })
    expect(findSeriesPlace(all, 'x')).toBeUndefined()
  })

  it.each([
    [
      [post('b', 2, { name, part: 1 }), post('a', 1, { name, part: 1 })],
      'content/posts/a.mdx: part 1 of the series Selling over HTTP is content/posts/b.mdx; renumber one of them',
    ],
    [
      [post('b', 2, { name, part: 1 }), post('a', 1, { name })],
      'content/posts/a.mdx: series Selling over HTTP numbers some of its parts; number all or none',
    ],
    [
      [post('b', 2, { name }), post('a', 1, { name: 'Selling, over HTTP' })],
      'content/posts/a.mdx: series Selling, over HTTP would have the address of Selling over HTTP; write both alike',
    ],
  ])('is refused if its order or its address is ambiguous (%#)', (posts, sentence) => {
    expect(() => groupBySeries(posts)).toThrow(sentence)
  })

  it.each([
    ['A name', { name: 'A name', part: undefined }],
    [
      { name: 'A name', part: 2 },
      { name: 'A name', part: 2 },
    ],
  ])('is read from front matter as %j', (series, read) => {
    const data = { title: 'T', excerpt: 'x', publishedAt: '2026-01-01' }
    expect(readFrontMatter(postSchema, { ...data, series }, 'p.mdx').series).toEqual(read)
  })

  it.each([
    ['!', 'p.mdx: series must have a letter or a digit'],
    [{ name: 'A name', part: 0 }, 'p.mdx: series.part must be'],
    [{ part: 1 }, 'p.mdx: series.name is missing'],
  ])('is refused as %j', (series, sentence) => {
    const data = { title: 'T', excerpt: 'x', publishedAt: '2026-01-01' }
    expect(() => readFrontMatter(postSchema, { ...data, series }, 'p.mdx')).toThrow(sentence)
  })
})
