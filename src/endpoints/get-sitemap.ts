import { shop } from '../config/site-context.ts'
import { toSitemap } from '../discovery/sitemap.ts'
import { getAlternates } from './get-alternates.ts'

const make = async () => toSitemap(await getAlternates(), shop.baseUrl)

let sitemap: ReturnType<typeof make> | undefined

/**
 * The sitemap of the site and its parts, where it has any. For the endpoints of a build alone, which makes it once for all
 * of them: the running server sends the files.
 */
export function getSitemap(): ReturnType<typeof make> {
  if (import.meta.env.DEV) return make()
  sitemap ??= make()
  return sitemap
}
