import { feedRoute } from '../endpoints/feed-route.ts'
import { toRss } from '../feeds/rss.ts'

export const GET = feedRoute('/rss.xml', toRss)
