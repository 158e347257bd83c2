import { sha256 } from '../core/sha256.ts'
import type { Surroundings } from './surroundings.ts'

/** The fields of a post that identify it and everything that its file contains. */
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
  /** The result of `digestBundled`. */
  readonly bundled: string
}

const shown = new WeakMap<Told, { readonly pictures: unknown; readonly digest: string }>()

/** The digest of everything that pages may show of a post. Many pages show the same post, so it is computed once. */
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
 * The cache key of the page of a post, for everything that depends on posts: its text, its front matter, its pictures,
 * and the same of the posts that it links to. The rest depends on other files, which the ground key of a build covers.
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

/** The `cacheKey` of a page that lists posts and shows only what follows from their files and pictures. */
export const toKeyOfList = async <Post extends Told>(
  posts: readonly Post[],
  pictured: Pictured<Post>,
): Promise<string> => sha256(JSON.stringify(await Promise.all(posts.map((post) => digestShown(post, pictured)))))

/**
 * The `cacheKey` of a page that shows nothing of any post, so that it changes with other files only, which the ground
 * key of a build covers.
 */
export const keyWithoutPosts = 'without posts'
