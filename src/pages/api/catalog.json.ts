import { shop } from '../../config/site-context.ts'
import { getOffers } from '../../content/offers.ts'
import { toCatalog } from '../../discovery/catalog.ts'
import { prerendered } from '../../endpoints/served.ts'

export const GET = async () => prerendered('/api/catalog.json', toCatalog(await getOffers(), shop))
