import { toCatalog } from '../../discovery/catalog.ts'
import { prerenderedJson } from '../../discovery/prerendered-json.ts'
import { getOffers } from '../../publishing/skills.ts'
import { shop } from '../../site-context.ts'

export const GET = async () => prerenderedJson(toCatalog(await getOffers(), shop))
