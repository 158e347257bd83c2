import { describe, expect, it } from 'vitest'
import { postSchema } from '../../src/content/post-schema.ts'
import { readingMinutes } from '../../src/content/reading-minutes.ts'
import { groupByTag } from '../../src/content/tags.ts'

const post = (id: string, ...tags: string[]) => ({ id, data: { tags } })

describe('tags', () => {
  it('gather their posts in the order given; most posts first, then by name', () => {
    const shelves = groupByTag([post('new', 'b', 'a'), post('old', 'c', 'b'), post('bare')])
    expect(shelves.map(({ tag, posts }) => [tag, posts.map(({ id }) => id)])).toEqual([
      ['b', ['new', 'old']],
      ['a', ['new']],
      ['c', ['old']],
    ])
  })

  it('list a post once that names a tag twice', () => {
    expect(groupByTag([post('a', 'x', 'x')])).toHaveLength(1)
    expect(groupByTag([post('a', 'x', 'x')])[0]?.posts).toHaveLength(1)
  })

  it.each(['x402', 'self-hosting', '支払い', 'サーバー', '人々', 'ข่าว', 'हिन्दी', 'größe', '2026'])(
    'may be %s',
    (tag) => {
      expect(postSchema.shape.tags.safeParse([tag]).success).toBe(true)
    },
  )

  it('are one, however their letters are put together', () => {
    expect(postSchema.shape.tags.parse(['cafe\u0301', 'カ\u3099ス'])).toEqual(['café', 'ガス'])
  })

  it.each(['\u0301a', 'Upper', 'two words', 'a/b', '../x', 'c++', '-x', ''])(
    'may not be %j, which makes no clean address',
    (tag) => {
      expect(postSchema.shape.tags.safeParse([tag]).success).toBe(false)
    },
  )
})

describe('reading time', () => {
  it('counts words where words are separated and signs where they are not, and is never nothing', () => {
    expect(readingMinutes('')).toBe(1)
    expect(readingMinutes('word '.repeat(920))).toBe(4)
    expect(readingMinutes('払'.repeat(1500))).toBe(3)
  })
})
