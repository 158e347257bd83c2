import crawlersFile from '../../content/crawlers.json' with { type: 'json' }
import site from '../../site.config.ts'
import { crawlersSchema } from '../../src/content/crawlers-schema.ts'
import { toRobots } from '../../src/discovery/robots.ts'
import { toSitemap } from '../../src/discovery/sitemap.ts'
import { toGameAiCatalog } from '../../src/discovery/well-known/ai-catalog.ts'
import { apiCatalogHeaders, toApiCatalog } from '../../src/discovery/well-known/api-catalog.ts'
import { toSecurityTxt } from '../../src/discovery/well-known/security-txt.ts'
import { get, type Route } from '../../src/http/route.ts'
import { toGameOpenApi } from '../../src/openapi/openapi.ts'
import { routes } from '../../src/routes/routes.ts'
import { toolServerIdentity } from '../mcp/tool-server-identity.ts'

interface Addresses {
  readonly baseUrl: string
  readonly gameUrl: string
  readonly wsUrl: string
}

const cacheControl = 'public, max-age=300'

/** The pages that exist independently of games played. */
const lastingPages = routes
  .filter(({ host, path, operations }) => {
    const answer = operations.GET?.answer
    return host === 'game' && !path.includes('{') && typeof answer === 'object' && 'text/html' in answer
  })
  .map(({ path }) => ({ path }))

/** Makes a value at its first use and keeps it, because making all of them would slow down the start. */
function later<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Documents that crawlers and directories look for at fixed paths of an origin; the game host is its own origin. */
export function makeDiscoveryRoutes(addresses: Addresses): Route[] {
  const { baseUrl, gameUrl } = addresses
  const text = (path: Route['path'], type: string, make: () => string): Route => {
    const body = later(make)
    return get(path, () => new Response(body(), { headers: { 'content-type': type, 'cache-control': cacheControl } }))
  }
  const json = (path: Route['path'], make: () => object, headers: Readonly<Record<string, string>> = {}): Route => {
    const document = later(make)
    return get(path, () => Response.json(document(), { headers: { 'cache-control': cacheControl, ...headers } }))
  }
  return [
    text('/robots.txt', 'text/plain; charset=utf-8', () =>
      toRobots(crawlersSchema.parse(crawlersFile).crawlers, site.crawlers, gameUrl),
    ),
    text('/sitemap.xml', 'application/xml; charset=utf-8', () => toSitemap(lastingPages, gameUrl).whole),
    get('/.well-known/security.txt', () => {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': cacheControl }
      return new Response(toSecurityTxt({ ...site, baseUrl, origin: gameUrl, at: new Date() }), { headers })
    }),
    json('/.well-known/ai-catalog.json', () => toGameAiCatalog(gameUrl, toolServerIdentity.title)),
    json('/openapi.json', () => toGameOpenApi(addresses)),
    json('/.well-known/api-catalog', () => toApiCatalog(addresses), apiCatalogHeaders(gameUrl)),
  ]
}
