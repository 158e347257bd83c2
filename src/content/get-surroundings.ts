import { getWriting } from './get-writing.ts'
import { getPosts, type Post } from './posts.ts'
import { findSurroundings, type Surroundings } from './surroundings.ts'
import { toPlainText } from './to-plain-text.ts'

/** Every published post with where readers may go on from it, newest first. Build-time only. */
export async function getSurroundings(): Promise<{ post: Post; around: Surroundings<Post> }[]> {
  const posts = await getPosts()
  const texts = await Promise.all(posts.map(async (post) => [post.id, toPlainText(await getWriting(post))] as const))
  const textById = new Map(texts)
  return findSurroundings(posts, ({ id }) => textById.get(id) ?? '')
}
