import { prerenderedJson } from '../../discovery/prerendered-json.ts'
import { toPaidResources } from '../../discovery/well-known/paid-resources.ts'
import { getOffers } from '../../publishing/skills.ts'
import { shop } from '../../site-context.ts'

export const GET = async () => prerenderedJson(toPaidResources(await getOffers(), { ...shop, sellerUrl: shop.baseUrl }))
