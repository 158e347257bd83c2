import { typeOf } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

/**
 * The `Link` header of the front page (RFC 8288): what a program that knows nothing but the domain needs next. Checkers
 * read the header of the answer; links inside the HTML do not count for them.
 */
export const homeLinks: string = routes
  .flatMap((route) =>
    route.homeRelation === undefined ? [] : [`<${route.path}>; rel="${route.homeRelation}"; type="${typeOf(route)}"`],
  )
  .join(', ')
