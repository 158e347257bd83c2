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

const shown = new WeakMap<Told, { readonly pictures: unknown; readonly digest: string }>()

/** The digest of all that pages may say of a post. Many pages name the same one, so it is made once. */
async function digestShown<Post extends Told>(post: Post, { picturesOf }: Pictured<Post>): Promise<string> {
  const pictures = await picturesOf(post)
  const known = shown.get(post)
  if (known && known.pictures === pictures) return known.digest
  const { id, filePath, digest, data } = post
  const made = sha256(JSON.stringify([id, filePath, digest, data, pictures]))
  shown.set(post, { pictures, digest: made })
  return made
}

/**
 * The key of all that the page of a post shows and that follows from posts: its text, what its front matter says, its
 * pictures, and all of that of the posts that it names. What follows from other files is the ground of a build.
 */
export async function toKeyOfPost<Post extends Told>(
  post: Post,
  around: Surroundings<Post>,
  beside: Beside<Post>,
): Promise<string> {
  const show = (one: Post) => digestShown(one, beside)
  const { place, newer, older, related } = around
  const isWhere = place && [place.series.name, place.series.slug, place.series.count, place.number]
  const near = await Promise.all([newer, older, place?.next].map(async (one) => one && (await show(one))))
  return sha256(JSON.stringify([beside.bundled, await show(post), near, isWhere, await Promise.all(related.map(show))]))
}

/** The key of a page that lists posts and says what follows from their front matter, for its `cacheKey`. */
export const toKeyOfList = async <Post extends Told>(
  posts: readonly Post[],
  pictured: Pictured<Post>,
): Promise<string> => sha256(JSON.stringify(await Promise.all(posts.map((post) => digestShown(post, pictured)))))
