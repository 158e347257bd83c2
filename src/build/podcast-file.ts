import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { artwork } from 'virtual:site-images'
import type { APIRoute } from 'astro'
import { readConfig } from '../config/config.ts'
import { shop } from '../config/site-context.ts'
import { renderPosts } from '../content/render-posts.ts'
import { toPodcastFeed } from '../feeds/podcast/podcast-feed.ts'
import { podcastPostSchema, toPodcastPost } from '../feeds/podcast/podcast-post.ts'
import { toShow } from '../feeds/podcast/show.ts'
import { readKeptEpisodes } from '../narration/episodes/kept-episodes.ts'

/**
 * The podcast with the episodes that lie in the data folder while the site is built, for where only files are served.
 * The route is injected into builds; the running site answers with what it knows later.
 */
export const prerender = true

export const GET: APIRoute = async () => {
  const posts = (await renderPosts()).map((post) => podcastPostSchema.parse(toPodcastPost(post, shop.baseUrl)))
  const folder = join(readConfig(process.env).dataDir, 'audio')
  const episodes = existsSync(folder) ? await readKeptEpisodes(folder, posts) : new Map()
  const heard = posts.flatMap((post) => {
    const episode = episodes.get(post.slug)
    return episode ? [{ post, episode }] : []
  })
  return new Response(toPodcastFeed(toShow(shop.baseUrl, artwork.src), heard))
}
