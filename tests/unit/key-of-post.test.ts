import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toKeyOfList, toKeyOfPost } from '../../src/content/key-of-post.ts'
import type { Surroundings } from '../../src/content/surroundings.ts'

interface Post {
  id: string
  filePath: string
  digest: string
  data: { title: string; tags: string[] }
  picture: string
}

const newPost = (id: string): Post => ({
  id,
  filePath: `content/posts/${id}.mdx`,
  digest: `digest of ${id}`,
  data: { title: id, tags: ['ink'] },
  picture: `${id}.avif`,
})

/** A page of a post in the middle of a series of four, with one post in each position around it. */
function newPage() {
  const [post, newer, older, next, one, other] = [
    newPost('post'),
    newPost('newer'),
    newPost('older'),
    newPost('next'),
    newPost('one'),
    newPost('other'),
  ]
  const series = { name: 'Ink', slug: 'ink', count: 4, parts: [] }
  return {
    post,
    around: { newer, older, related: [one, other], place: { series, number: 2, next } },
    bundled: 'bundled',
  }
}
type Page = ReturnType<typeof newPage>
const keyOf = ({ post, around, bundled }: { post: Post; around: Surroundings<Post>; bundled: string }) =>
  toKeyOfPost(post, around, { bundled, picturesOf: async ({ picture }) => ({ cover: picture }) })

const shown: readonly (readonly [who: string, post: (page: Page) => Post])[] = [
  ['the post itself', ({ post }) => post],
  ['the newer one', ({ around }) => around.newer],
  ['the older one', ({ around }) => around.older],
  ['the next part', ({ around }) => around.place.next],
  ['a related one', ({ around }) => around.related[0] ?? newPost('none')],
  ['another related one', ({ around }) => around.related[1] ?? newPost('none')],
]
const changes: readonly (readonly [what: string, change: (post: Post) => void])[] = [
  ['address', (post) => (post.id += '-renamed')],
  ['file', (post) => (post.filePath = post.filePath.replace('.mdx', '.md'))],
  ['text', (post) => (post.digest += ' changed')],
  ['title', (post) => (post.data.title += '!')],
  ['tags', (post) => post.data.tags.push('paper')],
  ['picture', (post) => (post.picture = 'another.avif')],
]

it('is the same for the same page', async () => {
  expect(await keyOf(newPage())).toBe(await keyOf(newPage()))
})

it.each(shown.flatMap(([who, find]) => changes.map(([what, change]) => [what, who, find, change] as const)))(
  'changes with the %s of %s',
  async (_what, _who, find, change) => {
    const page = newPage()
    change(find(page))
    expect(await keyOf(page)).not.toBe(await keyOf(newPage()))
  },
)

const placings: readonly (readonly [what: string, change: (page: Page) => void])[] = [
  ['the place in the series', ({ around }) => around.place.number++],
  ['how many parts it has', ({ around }) => around.place.series.count++],
  ['its name', ({ around }) => (around.place.series.name = 'Inks')],
  ['its address', ({ around }) => (around.place.series.slug = 'inks')],
  ['the order of related posts', ({ around }) => around.related.reverse()],
  ['what is bundled for all pages', (page) => (page.bundled = 'other')],
]
it.each(placings)('changes with %s', async (_, change) => {
  const page = newPage()
  change(page)
  expect(await keyOf(page)).not.toBe(await keyOf(newPage()))
})

it('differs when a neighbour is added, removed or replaced, in every position', async () => {
  const { post, bundled } = newPage()
  const someone = fc.option(fc.constantFrom('a', 'b', 'c').map(newPost), { nil: undefined })
  const arounds = fc.record({
    newer: someone,
    older: someone,
    place: fc.constant(undefined),
    related: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }).map((ids) => ids.map(newPost)),
  })
  await fc.assert(
    fc.asyncProperty(arounds, arounds, async (one, other) => {
      const keys = await Promise.all([one, other].map((around) => keyOf({ post, around, bundled })))
      expect(keys[0] === keys[1]).toBe(JSON.stringify(one) === JSON.stringify(other))
    }),
  )
})

describe('the key of a list of posts', () => {
  const listed = () => [newPost('one'), newPost('two')]
  const keyOfList = (posts: readonly Post[]) =>
    toKeyOfList(posts, { picturesOf: async ({ picture }) => ({ cover: picture }) })

  it('is the same for the same posts', async () => {
    expect(await keyOfList(listed())).toBe(await keyOfList(listed()))
  })

  it.each(changes)('changes with the %s of one of them', async (_, change) => {
    const posts = listed()
    for (const post of posts.slice(1)) change(post)
    expect(await keyOfList(posts)).not.toBe(await keyOfList(listed()))
  })

  it('changes when a post is added, removed or moved', async () => {
    for (const other of [[...listed(), newPost('three')], listed().slice(1), listed().reverse()])
      expect(await keyOfList(other)).not.toBe(await keyOfList(listed()))
  })
})
