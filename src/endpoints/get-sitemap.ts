import { shop } from '../config/site-context.ts'
import { toSitemap } from '../discovery/sitemap.ts'
import { getAlternates } from './get-alternates.ts'

const make = async () => toSitemap(await getAlternates(), shop.baseUrl)

let sitemap: ReturnType<typeof make> | undefined

/**
 * The sitemap of the site, and its parts if it has any. Only for the endpoints of a build, which share one result; the
 * running server sends the built files.
 */
export function getSitemap(): ReturnType<typeof make> {
  if (import.meta.env.DEV) return make()
  sitemap ??= make()
  return sitemap
}
