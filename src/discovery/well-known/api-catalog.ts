import type { Shop } from '../../config/shop.ts'
import { type Host, type Route, titleOf, typeOf } from '../../routes/route.ts'
import { routes } from '../../routes/routes.ts'

const relations = ['service-desc', 'service-doc', 'service-meta', 'status'] as const

/** One service of the link set: its address, and links to its descriptions by relation. */
function toContext(origins: Readonly<Record<Host, string>>, host: Host) {
  const linksOf = (relation: Route['relation']) =>
    routes
      .filter((route) => route.relation === relation && route.host === host)
      .map((route) => ({ href: origins[host] + route.path, type: typeOf(route), title: titleOf(route) }))
  return {
    anchor: `${origins[host]}/`,
    ...Object.fromEntries(relations.map((relation) => [relation, linksOf(relation)])),
  }
}

/** `/.well-known/api-catalog` (RFC 9727): both services as a link set (RFC 9264). */
export function toApiCatalog({ baseUrl, gameUrl }: Pick<Shop, 'baseUrl' | 'gameUrl'>) {
  const origins = { site: baseUrl, game: gameUrl }
  return { linkset: [toContext(origins, 'site'), toContext(origins, 'game')] }
}

/** The response headers of the API catalog; `link` is meant for HEAD requests (RFC 9727, section 2). */
export const apiCatalogHeaders = (origin: string) => ({
  'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  link: `<${origin}/.well-known/api-catalog>; rel="api-catalog"`,
})
