import { cacheControls, typeOf } from '../routes/route.ts'
import { siteRoutes } from '../routes/routes.ts'

/** An address of the site. */
export type SitePath = keyof typeof siteRoutes

/** What every answer at an address says of its type and of keeping it, as the table of routes has it. */
export function served(path: SitePath): { readonly contentType: string; readonly cacheControl: string } {
  const { cache, operations } = siteRoutes[path]
  const type = typeOf({ operations })
  const isText = type.startsWith('text/') || /json|xml/.test(type)
  return { contentType: isText ? `${type}; charset=utf-8` : type, cacheControl: cacheControls[cache] ?? '' }
}

/** A document that is written at build time. */
export function prerendered(
  path: SitePath,
  body: string | object,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { contentType, cacheControl } = served(path)
  const headers = { 'content-type': contentType, 'cache-control': cacheControl, ...more }
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers })
}
