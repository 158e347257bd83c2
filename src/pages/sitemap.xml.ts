import { shop } from '../config/site-context.ts'
import { toSitemap } from '../discovery/sitemap.ts'
import { getAlternates } from '../endpoints/get-alternates.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = async () => prerendered('/sitemap.xml', toSitemap(await getAlternates(), shop.baseUrl))
