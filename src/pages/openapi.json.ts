import { shop } from '../config/site-context.ts'
import { getOffers } from '../content/offers.ts'
import { prerendered } from '../endpoints/served.ts'
import { toOpenApi } from '../openapi/openapi.ts'

export const GET = async () => prerendered('/openapi.json', toOpenApi(await getOffers(), shop))
