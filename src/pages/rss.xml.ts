import { feedRoute } from '../publishing/feeds/feed-route.ts'
import { toRss } from '../publishing/feeds/rss.ts'

export const GET = feedRoute('application/rss+xml', toRss)
