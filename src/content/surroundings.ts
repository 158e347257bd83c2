import { findRelated } from './related-posts.ts'
import { findSeriesPlace, groupBySeries, type SeriesPlace } from './series.ts'

interface Standing {
  readonly id: string
  readonly data: {
    readonly title: string
    readonly excerpt: string
    readonly tags: readonly string[]
    readonly language: string
    readonly publishedAt: Date
    readonly series?: { readonly name: string; readonly part?: number | undefined } | undefined
  }
}

/** The posts that a post's page suggests to read next. No post is suggested twice. */
export interface Surroundings<Post> {
  /** Its place in its series, with the next part. */
  readonly place: SeriesPlace<Post> | undefined
  readonly related: readonly Post[]
  /** The posts before and after it by date. */
  readonly older: Post | undefined
  readonly newer: Post | undefined
}

const shown = 3
/** More than are shown, because some are suggested already for another reason. */
const candidates = 12

/** The ids of similar posts, the most similar first, by the id of a post. */
export type Related = ReadonlyMap<string, readonly string[]>

/**
 * Finds posts that are similar to each post. This compares the texts of all posts.
 *
 * @param newestFirst all published posts
 * @param textOf the plain text of a post
 */
export const findCandidates = <Post extends Standing>(
  newestFirst: readonly Post[],
  textOf: (post: Post) => string,
): Related =>
  findRelated(
    newestFirst.map((post) => {
      const { title, excerpt, tags, language } = post.data
      return { id: post.id, tags, language, text: [title, title, title, excerpt, excerpt, textOf(post)].join(' ') }
    }),
    candidates,
  )

/**
 * Finds what to read next after each post.
 *
 * @param newestFirst all published posts
 * @param related the result of `findCandidates`
 */
export function findSurroundings<Post extends Standing>(
  newestFirst: readonly Post[],
  related: Related,
): { post: Post; around: Surroundings<Post> }[] {
  const all = groupBySeries(newestFirst)
  const posts = new Map(newestFirst.map((post) => [post.id, post]))
  return newestFirst.map((post, index) => {
    const place = findSeriesPlace(all, post.id)
    const unlessNext = (near: Post | undefined) => (near?.id === place?.next?.id ? undefined : near)
    const [newer, older] = [unlessNext(newestFirst[index - 1]), unlessNext(newestFirst[index + 1])]
    const parts = place?.series.parts.map((part) => part.post.id) ?? []
    const named = new Set([newer?.id, older?.id, ...parts])
    const others = (related.get(post.id) ?? []).filter((id) => !named.has(id)).slice(0, shown)
    return { post, around: { place, newer, older, related: others.flatMap((id) => posts.get(id) ?? []) } }
  })
}
