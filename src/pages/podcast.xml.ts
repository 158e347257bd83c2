import { freeDocument } from '../discovery/free-document.ts'

export const prerender = false

export const ALL = freeDocument(
  { contentType: 'application/rss+xml; charset=utf-8', cacheControl: 'public, max-age=300' },
  async ({ locals }) => locals.services.podcastFeed(),
)
