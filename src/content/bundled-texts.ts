import { sha256 } from '../core/sha256.ts'
import { getPosts, getUnpublishedPosts } from './posts.ts'

/** Whether a post is compiled with the pages, as `contentFolder` decided when it last read the post's file. */
export const isBundled = (post: object): boolean => 'deferredRender' in post

/**
 * The digest of all posts that are compiled with the pages, unpublished ones too. They share the pages' modules, so a
 * change of one may change what any page loads. Build-time only.
 */
export async function digestBundled(): Promise<string> {
  const posts = [...(await getPosts()), ...(await getUnpublishedPosts())]
  const bundled = posts.filter(isBundled).flatMap(({ filePath, digest }) => [`${filePath}`, `${digest}`])
  return sha256(JSON.stringify(bundled.sort()))
}
