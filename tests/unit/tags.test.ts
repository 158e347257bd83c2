import { describe, expect, it } from 'vitest'
import { postSchema } from '../../src/content/post-schema.ts'
import { readingMinutes } from '../../src/content/reading-minutes.ts'
import { groupByTag } from '../../src/content/tags.ts'

const post = (id: string, ...tags: string[]) => ({ id, data: { tags } })

describe('tags', () => {
  it('group posts in their order; tags with most posts first, then by name', () => {
    const shelves = groupByTag([post('new', 'b', 'a'), post('old', 'c', 'b'), post('bare')])
    expect(shelves.map(({ tag, posts }) => [tag, posts.map(({ id }) => id)])).toEqual([
      ['b', ['new', 'old']],
      ['a', ['new']],
      ['c', ['old']],
    ])
  })

  it('are sorted as readers look up names', () => {
    const tags = ['zebra', 'äpfel', 'anton', 'teil-10', 'teil-2']
    expect(groupByTag([post('a', ...tags)]).map(({ tag }) => tag)).toEqual([
      'anton',
      'äpfel',
      'teil-2',
      'teil-10',
      'zebra',
    ])
  })

  it('list a post once that repeats a tag', () => {
    expect(groupByTag([post('a', 'x', 'x')])).toHaveLength(1)
    expect(groupByTag([post('a', 'x', 'x')])[0]?.posts).toHaveLength(1)
  })

  it.each(['x402', 'self-hosting', '支払い', 'サーバー', '人々', 'ข่าว', 'हिन्दी', 'größe', '2026'])(
    'may be %s',
    (tag) => {
      expect(postSchema.shape.tags.safeParse([tag]).success).toBe(true)
    },
  )

  it.each([
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0DC1\u0DCA\u200D\u0DBB\u0DD3',
    '\u0CB0\u200D\u0CCD\u0C95',
    '\u0930\u094d\u200c\u092f',
  ])('may be %s, with an invisible character that joins or separates letters', (tag) => {
    expect(postSchema.shape.tags.parse([tag])).toEqual([tag])
  })

  it.each([
    'a\u200db',
    'ab\u200c',
    '\u200cab',
    '\u0645\u200c',
    '\u0645\u200c-\u0645',
    '\u0645\u200c\u200d\u0645',
    'a\u200bb',
    '\u0645\u202e\u0645',
  ])('may not be %j, with such a character where it has no effect', (tag) => {
    expect(postSchema.shape.tags.safeParse([tag]).success).toBe(false)
  })

  it('are the same in any Unicode normalization', () => {
    expect(postSchema.shape.tags.parse(['cafe\u0301', 'カ\u3099ス'])).toEqual(['café', 'ガス'])
  })

  it.each(['\u0301a', 'Upper', 'two words', 'a/b', '../x', 'c++', '-x', ''])(
    'may not be %j, which would make no clean address',
    (tag) => {
      expect(postSchema.shape.tags.safeParse([tag]).success).toBe(false)
    },
  )
})

describe('reading time', () => {
  it('counts words, or characters in scripts without spaces, and is never zero', () => {
    expect(readingMinutes('')).toBe(1)
    expect(readingMinutes('word '.repeat(920))).toBe(4)
    expect(readingMinutes('払'.repeat(1500))).toBe(3)
  })
})
