import { feedRoute } from '../endpoints/feed-route.ts'

export const GET = feedRoute('atom.xml')
