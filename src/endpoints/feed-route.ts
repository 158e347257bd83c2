import type { APIRoute } from 'astro'
import site from '../../site.config.ts'
import { builtAt, shop } from '../config/site-context.ts'
import { renderPosts } from '../content/render-posts.ts'
import { type Channel, type FeedPost, newestChange, toFeedPosts } from '../feeds/feed-post.ts'
import { toHubLinks } from '../feeds/websub/name-hubs.ts'
import { prerendered, type SitePath } from './served.ts'

/** A prerendered feed of the published posts. */
export const feedRoute =
  (path: SitePath, write: (channel: Channel, posts: readonly FeedPost[]) => string): APIRoute =>
  async () => {
    const posts = toFeedPosts(await renderPosts(), shop.baseUrl, site.language)
    const updatedAt = newestChange(posts, builtAt)
    const { name: title, description, author, language, hubs } = site
    const channel = { title, description, author, language, hubs, baseUrl: shop.baseUrl, updatedAt }
    const headers = { 'last-modified': updatedAt.toUTCString(), ...toHubLinks(shop.baseUrl + path, hubs) }
    return prerendered(path, write(channel, posts), headers)
  }
