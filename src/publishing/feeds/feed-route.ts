import type { APIRoute } from 'astro'
import site from '../../../site.config.ts'
import { builtAt, shop } from '../../site-context.ts'
import { renderPosts } from '../render-posts.ts'
import { type Channel, type FeedPost, newestChange, toFeedPosts } from './feed-post.ts'

/** A prerendered feed of the published posts. */
export const feedRoute =
  (mimeType: string, write: (channel: Channel, posts: readonly FeedPost[]) => string): APIRoute =>
  async () => {
    const posts = toFeedPosts(await renderPosts(), shop.baseUrl, site.language)
    const updatedAt = newestChange(posts, builtAt)
    const { name: title, description, author, language } = site
    const channel = { title, description, author, language, baseUrl: shop.baseUrl, updatedAt }
    return new Response(write(channel, posts), {
      headers: { 'content-type': `${mimeType}; charset=utf-8`, 'last-modified': updatedAt.toUTCString() },
    })
  }
