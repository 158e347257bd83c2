import { artwork } from 'virtual:site-images'
import { shop } from '../config/site-context.ts'
import { freeDocument } from '../endpoints/free-document.ts'
import { served } from '../endpoints/served.ts'
import { toPodcastFeed } from '../feeds/podcast/podcast-feed.ts'
import { toShow } from '../feeds/podcast/show.ts'

export const prerender = false

const show = toShow(shop.baseUrl, artwork.src)

export const ALL = freeDocument(served('/podcast.xml'), async ({ locals: { services } }) => {
  const heard = services.heardPosts()
  const changes = [services.builtAt, ...heard.map(({ episode }) => episode.createdAt)].map((at) => Date.parse(at))
  return { text: toPodcastFeed(show, heard), changedAt: new Date(Math.max(...changes)) }
})
