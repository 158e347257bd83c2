import { cacheControls, typeOf } from '../routes/route.ts'
import { siteRoutes } from '../routes/routes.ts'

/** A path of the site in the table of routes. */
export type SitePath = keyof typeof siteRoutes

/** The content type and cache control of every response at a path, from the table of routes. */
export function served(path: SitePath): { readonly contentType: string; readonly cacheControl: string } {
  const { cache, operations } = siteRoutes[path]
  const type = typeOf({ operations })
  const isText = type.startsWith('text/') || /json|xml/.test(type)
  return { contentType: isText ? `${type}; charset=utf-8` : type, cacheControl: cacheControls[cache] ?? '' }
}

/** The response for a document that is written at build time. */
export function prerendered(
  path: SitePath,
  body: string | object,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { contentType, cacheControl } = served(path)
  const headers = { 'content-type': contentType, 'cache-control': cacheControl, ...more }
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers })
}
