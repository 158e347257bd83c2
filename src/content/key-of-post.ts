import { sha256 } from '../core/sha256.ts'
import type { Surroundings } from './surroundings.ts'

/** What identifies a post and all that its file says. */
interface Told {
  readonly id: string
  readonly filePath?: string | undefined
  readonly digest?: string | undefined
  readonly data: unknown
}

interface Beside<Post> {
  /** What `digestBundled` says. */
  readonly bundled: string
  /** The pictures that pages show of a post. */
  readonly picturesOf: (post: Post) => Promise<unknown>
}

/**
 * The key of all that the page of a post shows and that follows from posts: its text, what its front matter says, its
 * pictures, and all of that of the posts that it names. What follows from other files is the ground of a build.
 */
export async function toKeyOfPost<Post extends Told>(
  post: Post,
  around: Surroundings<Post>,
  { bundled, picturesOf }: Beside<Post>,
): Promise<string> {
  const toShown = async (one: Post) => [one.id, one.filePath, one.digest, one.data, await picturesOf(one)]
  const { place, newer, older, related } = around
  const isWhere = place && [place.series.name, place.series.slug, place.series.count, place.number]
  const near = await Promise.all([newer, older, place?.next].map(async (one) => one && (await toShown(one))))
  return sha256(JSON.stringify([bundled, await toShown(post), near, isWhere, await Promise.all(related.map(toShown))]))
}
