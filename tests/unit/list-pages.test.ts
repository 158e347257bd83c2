import { describe, expect, it } from 'vitest'
import { postsPerPage, toDays, toListPages, toOlderPaths } from '../../src/content/list-pages.ts'

const dayMs = 86_400_000
const post = (number: number) => ({
  id: `post-${number}`,
  digest: `${number}`,
  data: { publishedAt: new Date(Date.UTC(2020, 0, 1) + number * dayMs) },
})
/** The newest first. */
const make = (count: number) => Array.from({ length: count }, (_, place) => post(count - 1 - place))

/** The pages of so many posts, the newest first. */
function pagesOf(count: number) {
  const { first, older } = toListPages(make(count), '/posts')
  return [first, ...older.map(({ page }) => page)]
}

describe('a long list of posts', () => {
  it.each([0, 1, postsPerPage, 2 * postsPerPage - 1])('with %d posts has one page', (count) => {
    const [first, ...others] = pagesOf(count)
    expect(others).toEqual([])
    expect(first).toEqual({ path: '/posts', posts: make(count), older: undefined, newer: undefined })
  })

  it.each([2 * postsPerPage, 3 * postsPerPage - 1, 1000, 1033])(
    'with %d posts shows each of them once, in order, on pages that lead to each other',
    (count) => {
      const pages = pagesOf(count)
      expect(pages.flatMap(({ posts }) => posts)).toEqual(make(count))
      expect(pages.map(({ newer }) => newer)).toEqual([undefined, ...pages.slice(0, -1).map(({ path }) => path)])
      expect(pages.map(({ older }) => older)).toEqual([...pages.slice(1).map(({ path }) => path), undefined])
      expect(pages.at(-1)?.path).toBe('/posts/older/1')
      const [first = 0, ...others] = pages.map(({ posts }) => posts.length)
      expect([first >= postsPerPage, first < 2 * postsPerPage]).toEqual([true, true])
      expect(new Set(others)).toEqual(new Set([postsPerPage]))
    },
  )

  it('shows the same posts at an address of older ones, whatever is published', () => {
    const at = (count: number) => new Map(pagesOf(count).map(({ path, posts }) => [path, posts]))
    const before = at(2 * postsPerPage)
    for (let count = 2 * postsPerPage; count < 4 * postsPerPage; count++)
      expect(at(count).get('/posts/older/1')).toEqual(before.get('/posts/older/1'))
  })

  it('gives an older page another key only when its posts, its pictures or its links change', async () => {
    const keysOf = async (posts: ReturnType<typeof make>, picture = 'a') => {
      const wanted = { params: {}, props: {}, picturesOf: async () => picture }
      const paths = await Promise.all(toOlderPaths(posts, '/posts', wanted))
      return Object.fromEntries(paths.map(({ params, cacheKey }) => [params.number, cacheKey]))
    }
    const [two, three] = [make(3 * postsPerPage), make(4 * postsPerPage)]
    const before = await keysOf(two)
    expect(Object.keys(before)).toEqual(['1', '2'])
    expect(await keysOf([post(1000), ...two])).toEqual(before)
    // The second page was the newest older one, and leads to a third one now.
    expect(await keysOf(three)).toEqual({
      1: before[1],
      2: expect.not.stringContaining(before[2] ?? ''),
      3: expect.any(String),
    })
    const edited = two.map((one) => (one.id === 'post-3' ? { ...one, digest: 'new' } : one))
    expect(await keysOf(edited)).toEqual({ 1: expect.not.stringContaining(before[1] ?? ''), 2: before[2] })
    expect(Object.values(await keysOf(two, 'b')).some((key) => Object.values(before).includes(key))).toBe(false)
  })

  it('names the days from its oldest post to its newest', () => {
    expect(toDays(make(31))).toBe('January 1, 2020 – January 31, 2020')
    expect(toDays(make(1))).toBe('January 1, 2020')
    expect(toDays([])).toBe('')
  })
})
