import { type Host, typeOf } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

/**
 * The `Link` header of a host's front page (RFC 8288), for programs that know only the domain. Checkers read this
 * header and ignore links in the HTML.
 */
export const toHomeLinks = (host: Host): string =>
  routes
    .flatMap((route) =>
      route.homeRelation === undefined || route.host !== host
        ? []
        : [`<${route.path}>; rel="${route.homeRelation}"; type="${typeOf(route)}"`],
    )
    .join(', ')
