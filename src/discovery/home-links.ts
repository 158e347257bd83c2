import { type Host, typeOf } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

/**
 * The `Link` header of a host's front page (RFC 8288): what a program that knows nothing but the domain needs next.
 * Checkers read the header of the answer; links inside the HTML do not count for them.
 */
export const toHomeLinks = (host: Host): string =>
  routes
    .flatMap((route) =>
      route.homeRelation === undefined || route.host !== host
        ? []
        : [`<${route.path}>; rel="${route.homeRelation}"; type="${typeOf(route)}"`],
    )
    .join(', ')
