import { sha256 } from '../core/sha256.ts'
import type { Surroundings } from './surroundings.ts'

/** What identifies a post and all that its file says. */
interface Told {
  readonly id: string
  readonly filePath?: string | undefined
  readonly digest?: string | undefined
  readonly data: unknown
}

interface Pictured<Post> {
  /** The pictures that pages show of a post. */
  readonly picturesOf: (post: Post) => Promise<unknown>
}

interface Beside<Post> extends Pictured<Post> {
  /** What `digestBundled` says. */
  readonly bundled: string
}

/** All that pages may say of a post. */
const toShown = async <Post extends Told>(post: Post, { picturesOf }: Pictured<Post>): Promise<unknown> => [
  post.id,
  post.filePath,
  post.digest,
  post.data,
  await picturesOf(post),
]

/**
 * The key of all that the page of a post shows and that follows from posts: its text, what its front matter says, its
 * pictures, and all of that of the posts that it names. What follows from other files is the ground of a build.
 */
export async function toKeyOfPost<Post extends Told>(
  post: Post,
  around: Surroundings<Post>,
  beside: Beside<Post>,
): Promise<string> {
  const show = (one: Post) => toShown(one, beside)
  const { place, newer, older, related } = around
  const isWhere = place && [place.series.name, place.series.slug, place.series.count, place.number]
  const near = await Promise.all([newer, older, place?.next].map(async (one) => one && (await show(one))))
  return sha256(JSON.stringify([beside.bundled, await show(post), near, isWhere, await Promise.all(related.map(show))]))
}

/** The key of a page that lists posts and says what follows from their front matter, for its `cacheKey`. */
export const toKeyOfList = async <Post extends Told>(
  posts: readonly Post[],
  pictured: Pictured<Post>,
): Promise<string> => sha256(JSON.stringify(await Promise.all(posts.map((post) => toShown(post, pictured)))))
