import { toAtom } from '../publishing/feeds/atom.ts'
import { feedRoute } from '../publishing/feeds/feed-route.ts'

export const GET = feedRoute('application/atom+xml', toAtom)
