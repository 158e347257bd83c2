import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Episodes } from '../../narration/episodes/episode.ts'
import type { HeardPost } from './podcast-feed.ts'
import { type PodcastPost, podcastPostSchema } from './podcast-post.ts'

/** The posts of a build, newest first. */
export const readPosts = (privateTexts: string): PodcastPost[] =>
  z.array(podcastPostSchema).parse(JSON.parse(readFileSync(join(privateTexts, 'podcast-posts.json'), 'utf8')))

/**
 * Makes a function that lists the posts of a build whose narrations are ready at the time of the call, newest first.
 */
export function makeHeardPosts(privateTexts: string, episodes: Episodes): () => HeardPost[] {
  const posts = readPosts(privateTexts)
  return () =>
    posts.flatMap((post) => {
      const episode = episodes.find(post.slug)
      return episode ? [{ post, episode }] : []
    })
}
