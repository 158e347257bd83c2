import type { Shop } from '../../config/shop.ts'
import { type Host, type Route, titleOf, typeOf } from '../../routes/route.ts'
import { routes } from '../../routes/routes.ts'

const relations = ['service-desc', 'service-doc', 'service-meta', 'status'] as const

/** One service of the link set: its address, and by relation what describes it. */
function toContext(origins: Readonly<Record<Host, string>>, host: Host) {
  // One description covers both services, because they share prices, problems and payments.
  const isOf = (route: Route): boolean => route.host === host || route.relation === 'service-desc'
  const linksOf = (relation: Route['relation']) =>
    routes
      .filter((route) => route.relation === relation && isOf(route))
      .map((route) => ({ href: origins[route.host] + route.path, type: typeOf(route), title: titleOf(route) }))
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
