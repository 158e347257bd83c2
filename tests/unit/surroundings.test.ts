import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { findRelated } from '../../src/content/related-posts.ts'
import { findCandidates, findSurroundings } from '../../src/content/surroundings.ts'
import { unknownProduct } from '../../src/content/unknown-product.ts'

const compared = (id: string, tags: readonly string[], text: string, language = 'en') => ({ id, tags, text, language })

describe('related posts', () => {
  const posts = [
    compared('tea', ['kitchen'], 'kettle leaves steep porcelain kettle'),
    compared('kettles', ['kitchen', 'machines'], 'kettle boils leaves copper kettle porcelain'),
    compared('bread', ['kitchen', 'oven'], 'flour yeast oven crust'),
    compared('ships', ['sea'], 'hull mast harbour keel'),
    compared('thé', ['kitchen'], 'kettle leaves steep porcelain', 'fr'),
  ]
  const related = findRelated(posts, 3)

  it('share rare words or tags, most similar first', () => {
    expect(related.get('tea')).toEqual(['kettles', 'bread'])
    expect(related.get('kettles')?.[0]).toBe('tea')
  })

  it('are none if nothing is similar, and never in another language', () => {
    expect(related.get('ships')).toEqual([])
    expect(related.get('thé')).toEqual([])
  })

  it('are as many as requested, always the same, and the newest among equals', () => {
    const equals = ['e', 'd', 'c', 'b', 'a'].map((id) => compared(id, ['one'], 'same words here'))
    const all = [...equals, compared('other', ['two'], 'nothing alike')]
    expect(findRelated(all, 2)).toEqual(findRelated(structuredClone(all), 2))
    expect(findRelated(all, 2).get('c')).toEqual(['e', 'd'])
  })

  it('are the first of all similar ones, however many are requested', () => {
    const words = 'kettle leaves steep copper flour yeast oven crust hull mast harbour keel'.split(' ')
    const many = Array.from({ length: 60 }, (_, at) => {
      const text = words.filter((_, place) => (at * 7 + place * place) % 5 < 2).join(' ')
      return compared(`${at}`, [words[at % 7] ?? ''], text, at % 3 === 0 ? 'fr' : 'en')
    })
    const all = findRelated(many, many.length)
    expect([...all.values()].filter(({ length }) => length > 5).length).toBeGreaterThan(30)
    for (const [id, few] of findRelated(many, 5)) expect(few).toEqual(all.get(id)?.slice(0, 5))
  })

  it('are found by the forty rarest words, the first in the alphabet among words as rare', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const wordOf = (at: number) => `${letters[Math.floor(at / 10)]}${letters[at % 10]}word`
    const long = Array.from({ length: 50 }, (_, at) => wordOf(at))
      .toReversed()
      .join(' ')
    const sharing = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => wordOf(from + at)).join(' ')
    const all = [
      compared('long', [], long),
      compared('same', [], long),
      compared('first', [], sharing(0, 10)),
      compared('last', [], sharing(40, 50)),
      ...['x', 'y'].map((id) => compared(id, [], `${id}${id}${id} only here`)),
    ]
    // Those that stand last in the alphabet are not among the forty by which a long post is known.
    expect(findRelated(all, 5).get('long')).toEqual(['same', 'first'])
  })

  it('are found within the memory of a build, even if thousands of posts share a tag', () => {
    const code = `
      import { findRelated } from ${JSON.stringify(new URL('../../src/content/related-posts.ts', import.meta.url).href)}
      const posts = Array.from({ length: 6_000 }, (_, at) => (
        { id: String(at), language: 'en', tags: [at % 2 ? 'news' : 'rare' + at], text: 'of' + at }
      ))
      console.log(findRelated(posts, 2).get('5'))`
    const small = ['--max-old-space-size=160', '--input-type=module', '-e', code]
    const { stdout, stderr } = spawnSync(process.execPath, small, { encoding: 'utf8' })
    expect(stderr).not.toContain('heap out of memory')
    expect(stdout.trim()).toBe("[ '1', '3' ]")
  })
})

describe('the links around a post', () => {
  const post = (id: string, day: number, { series = '', tags = ['x'] } = {}) => ({
    id,
    data: {
      title: id,
      excerpt: 'About it',
      tags,
      language: 'en',
      publishedAt: new Date(Date.UTC(2026, 0, day)),
      ...(series !== '' && { series: { name: series } }),
    },
  })
  const posts = [
    post('g', 7, { tags: ['y'] }),
    post('f', 6),
    post('e', 5, { series: 'S' }),
    post('d', 4, { series: 'S' }),
    post('c', 3),
    post('b', 2),
    post('a', 1, { series: 'S' }),
  ]
  const around = new Map(
    findSurroundings(
      posts,
      findCandidates(posts, () => ''),
    ).map(({ post, around: { place, newer, older, related } }) => [
      post.id,
      { next: place?.next?.id, newer: newer?.id, older: older?.id, related: related.map(({ id }) => id) },
    ]),
  )

  it('are the next part, the posts before and after it by date, and similar ones', () => {
    expect(around.get('a')).toEqual({ next: 'd', newer: 'b', older: undefined, related: ['f', 'c'] })
  })

  it('contain no post twice: the next part of the series is not also the newer post', () => {
    expect(around.get('d')).toEqual({ next: 'e', newer: undefined, older: 'c', related: ['f', 'b'] })
    for (const [id, { next, newer, older, related }] of around) {
      const named = [id, next, newer, older, ...related].filter((one) => one !== undefined)
      expect(new Set(named).size).toBe(named.length)
    }
  })

  it('are those by date if no post is similar', () => {
    expect(around.get('g')).toEqual({ next: undefined, newer: undefined, older: 'f', related: [] })
  })
})

it('a product that does not exist cannot be linked', () => {
  const products = new Set(['llms-pack'])
  expect(unknownProduct({ product: 'llms-pack' }, products)).toBeUndefined()
  expect(unknownProduct({}, products)).toBeUndefined()
  expect(unknownProduct({ product: 'nope' }, products)).toBe(
    'product names nope, and nothing with this name is for sale; for sale are llms-pack',
  )
})
