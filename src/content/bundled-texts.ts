import { sha256 } from '../core/sha256.ts'
import { getWriting } from './get-writing.ts'
import { isPlainWriting } from './plain-writing.ts'
import { getPosts, getUnpublishedPosts } from './posts.ts'

/**
 * The digest of all posts that are compiled with the pages, unpublished ones too. They share the pages' modules, so a
 * change of one may change what any page loads. Build-time only.
 */
export async function digestBundled(): Promise<string> {
  const posts = [...(await getPosts()), ...(await getUnpublishedPosts())]
  const bundled = posts.map(async (post) =>
    isPlainWriting((await getWriting(post)).root) ? [] : [`${post.filePath}`, `${post.digest}`],
  )
  return sha256(JSON.stringify((await Promise.all(bundled)).flat().sort()))
}
