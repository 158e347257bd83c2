import { shop } from '../../config/site-context.ts'
import { apiCatalogHeaders, toApiCatalog } from '../../discovery/well-known/api-catalog.ts'
import { prerendered } from '../../endpoints/served.ts'

export const GET = () => prerendered('/.well-known/api-catalog', toApiCatalog(shop), apiCatalogHeaders(shop.baseUrl))
