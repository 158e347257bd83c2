import { getTwins } from '../build/get-twins.ts'
import { toSitemap } from '../discovery/sitemap.ts'
import { shop } from '../site-context.ts'

export const GET = async () =>
  new Response(toSitemap(await getTwins(), shop.baseUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
