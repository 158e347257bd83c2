import { feedRoute } from '../publishing/feeds/feed-route.ts'
import { toJsonFeed } from '../publishing/feeds/json-feed.ts'

export const GET = feedRoute('application/feed+json', (channel, posts) => JSON.stringify(toJsonFeed(channel, posts)))
