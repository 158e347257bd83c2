import { keptTexts } from 'virtual:kept-texts'
import { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { digestBundled } from './bundled-texts.ts'
import { getPlainText } from './post-texts.ts'
import { getPosts, type Post } from './posts.ts'
import { findCandidates, findSurroundings, type Surroundings } from './surroundings.ts'

const keptRelated = keptTexts.openKind({
  name: 'related',
  schema: z.array(z.tuple([z.string(), z.array(z.string()).readonly()])),
})

async function compareAll(posts: readonly Post[]): Promise<[string, readonly string[]][]> {
  const texts = await Promise.all(posts.map(async (post) => [post.id, await getPlainText(post)] as const))
  const textById = new Map(texts)
  return [...findCandidates(posts, ({ id }) => textById.get(id) ?? '')]
}

/** Every published post with links to what to read next, newest first. Build-time only. */
export async function getSurroundings(): Promise<{ post: Post; around: Surroundings<Post> }[]> {
  const posts = await getPosts()
  const compared = [await digestBundled(), posts.map(({ id, digest }) => [id, digest])]
  // Kept for all posts together, because which posts are related follows from the texts of all of them.
  const source = { filePath: '', digest: sha256(JSON.stringify(compared)) }
  return findSurroundings(posts, new Map(await keptRelated(source, () => compareAll(posts))))
}
