import { feedRoute } from '../endpoints/feed-route.ts'
import { toJsonFeed } from '../feeds/json-feed.ts'

export const GET = feedRoute('/feed.json', (channel, posts) => JSON.stringify(toJsonFeed(channel, posts)))
