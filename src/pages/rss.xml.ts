import { feedRoute } from '../endpoints/feed-route.ts'

export const GET = feedRoute('rss.xml')
