import { getPlainText } from './post-texts.ts'
import { getPosts, type Post } from './posts.ts'
import { findSurroundings, type Surroundings } from './surroundings.ts'

/** Every published post with links to what to read next, newest first. Build-time only. */
export async function getSurroundings(): Promise<{ post: Post; around: Surroundings<Post> }[]> {
  const posts = await getPosts()
  const texts = await Promise.all(posts.map(async (post) => [post.id, await getPlainText(post)] as const))
  const textById = new Map(texts)
  return findSurroundings(posts, ({ id }) => textById.get(id) ?? '')
}
