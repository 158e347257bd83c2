import { getSitemap } from '../endpoints/get-sitemap.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = async () => prerendered('/sitemap.xml', (await getSitemap()).whole)
