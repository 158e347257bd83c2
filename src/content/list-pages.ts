import { sha256 } from '../core/sha256.ts'
import { toLongDate } from './day-texts.ts'
import { toKeyOfList } from './key-of-post.ts'
import { toSlug } from './to-slug.ts'

/** The address of a page of a list. */
type Path = `/${string}`

/** One page of a long list of posts. */
export interface ListPage<Post> {
  readonly path: Path
  /** Newest first. */
  readonly posts: readonly Post[]
  /** The pages with the next older and the next newer posts. */
  readonly older: Path | undefined
  readonly newer: Path | undefined
}

/** How many posts an older page shows. The first page shows fewer than twice as many. */
export const postsPerPage = 50

/**
 * Splits a list of posts into pages: `first` shows the newest posts, and `older` the others, the newest of them first.
 * Older pages are numbered from the oldest posts: a new post changes the first page, and an address goes on to show the
 * same posts.
 *
 * @param path the path of the list, which is that of its first page
 */
export function toListPages<Post>(newestFirst: readonly Post[], path: Path) {
  const count = Math.max(0, Math.floor(newestFirst.length / postsPerPage) - 1)
  const begin = newestFirst.length - count * postsPerPage
  const pathOf = (number: number): Path => `${path}/older/${number}`
  const first: ListPage<Post> = {
    path,
    posts: newestFirst.slice(0, begin),
    older: count > 0 ? pathOf(count) : undefined,
    newer: undefined,
  }
  const older = Array.from({ length: count }, (_, place) => {
    const number = count - place
    const from = begin + place * postsPerPage
    const page: ListPage<Post> = {
      path: pathOf(number),
      posts: newestFirst.slice(from, from + postsPerPage),
      older: number > 1 ? pathOf(number - 1) : undefined,
      newer: number < count ? pathOf(number + 1) : path,
    }
    return { number, page }
  })
  return { first, older }
}

/** The element id of a year's heading. */
export const toYearId = (year: string): string => `y${toSlug(year)}`

/** The days from the oldest to the newest of these posts, as a text. */
export function toDays(newestFirst: readonly { readonly data: { readonly publishedAt: Date } }[]): string {
  const ends = [newestFirst.at(-1), newestFirst[0]].filter((post) => post !== undefined)
  return [...new Set(ends.map(({ data }) => toLongDate(data.publishedAt)))].join(' – ')
}

type Listed = Parameters<typeof toKeyOfList>[0][number]

interface Wanted<Post, Params, Props> {
  /** The other parameters of the route. */
  readonly params: Params
  /** What the pages show beside the posts; the ground key of a build covers it. */
  readonly props: Props
  readonly picturesOf: (post: Post) => Promise<unknown>
}

/** The older pages of a list as static paths of Astro, each with the key by which a later build takes it over. */
export const toOlderPaths = <Post extends Listed, Params extends object, Props extends object>(
  newestFirst: readonly Post[],
  path: Path,
  { params, props, picturesOf }: Wanted<Post, Params, Props>,
) =>
  toListPages(newestFirst, path).older.map(async ({ number, page }) => ({
    params: { ...params, number: `${number}` },
    props: { ...props, page },
    cacheKey: sha256(await toKeyOfList(page.posts, { picturesOf }), page.older ?? '', page.newer ?? ''),
  }))
