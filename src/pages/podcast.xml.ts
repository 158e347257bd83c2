import { artwork } from 'virtual:site-images'
import { freeDocument } from '../discovery/free-document.ts'
import { toPodcastFeed } from '../publishing/podcast/podcast-feed.ts'
import { toShow } from '../publishing/podcast/show.ts'
import { shop } from '../site-context.ts'

export const prerender = false

const show = toShow(shop.baseUrl, artwork.src)

export const ALL = freeDocument(
  { contentType: 'application/rss+xml; charset=utf-8', cacheControl: 'public, max-age=300' },
  async ({ locals: { services } }) => toPodcastFeed(show, services.heardPosts()),
)
