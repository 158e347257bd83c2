import { getPostImages } from 'virtual:make-images'
import { sha256 } from '../core/sha256.ts'
import type { Post } from './posts.ts'
import type { Surroundings } from './surroundings.ts'

/** All that a page can show of a post. */
const toShown = async (post: Post) => [post.id, post.filePath, post.digest, post.data, await getPostImages(post)]

/**
 * The key of all that the page of a post shows and that follows from posts: its text, what its front matter says, its
 * pictures, and all of that of the posts that it names. What follows from other files is the ground of a build. Build-time
 * only.
 *
 * @param bundled what `digestBundled` says
 */
export async function toKeyOfPost(post: Post, around: Surroundings<Post>, bundled: string): Promise<string> {
  const { place, newer, older, related } = around
  const isWhere = place && [place.series.name, place.series.slug, place.series.count, place.number]
  const own = await toShown(post)
  const near = await Promise.all([newer, older, place?.next].map(async (one) => one && (await toShown(one))))
  return sha256(JSON.stringify([bundled, own, near, isWhere, await Promise.all(related.map(toShown))]))
}
