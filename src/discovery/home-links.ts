import { registry } from './registry.ts'

/**
 * The `Link` header of the front page (RFC 8288): what a program that knows nothing but the domain needs next. Checkers
 * read the header of the answer; links inside the HTML do not count for them.
 */
export const homeLinks: string = registry
  .flatMap(({ path, type, homeRelation }) =>
    homeRelation === undefined ? [] : [`<${path}>; rel="${homeRelation}"; type="${type}"`],
  )
  .join(', ')
