import { feedRoute } from '../endpoints/feed-route.ts'
import { toAtom } from '../feeds/atom.ts'

export const GET = feedRoute('/atom.xml', toAtom)
