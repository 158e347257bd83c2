import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Episodes } from '../../media/episode.ts'
import type { HeardPost } from './podcast-feed.ts'

const postSchema = z.object({
  slug: z.string(),
  url: z.string(),
  title: z.string(),
  excerpt: z.string(),
  author: z.string(),
  language: z.string(),
  publishedAt: z.iso.datetime().transform((instant) => new Date(instant)),
})
const exportSchema = z.object({ posts: z.array(postSchema) })

/** Joins the posts of a build with the narrations that are ready, newest first, whenever it is asked. */
export function makeHeardPosts(privateTexts: string, episodes: Episodes): () => HeardPost[] {
  const { posts } = exportSchema.parse(JSON.parse(readFileSync(join(privateTexts, 'posts-export.json'), 'utf8')))
  return () =>
    posts.flatMap((post) => {
      const episode = episodes.find(post.slug)
      return episode ? [{ post, episode }] : []
    })
}
