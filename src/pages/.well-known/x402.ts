import { shop } from '../../config/site-context.ts'
import { getOffers } from '../../content/offers.ts'
import { toPaidResources } from '../../discovery/well-known/paid-resources.ts'
import { prerendered } from '../../endpoints/served.ts'

export const GET = async () =>
  prerendered('/.well-known/x402', toPaidResources(await getOffers(), { ...shop, sellerUrl: shop.baseUrl }))
