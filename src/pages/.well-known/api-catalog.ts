import { toApiCatalog } from '../../discovery/well-known/api-catalog.ts'
import { shop } from '../../site-context.ts'

export const GET = () =>
  new Response(JSON.stringify(toApiCatalog(shop)), {
    headers: {
      'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      'cache-control': 'public, max-age=60',
      // What a HEAD request is told (RFC 9727, section 2).
      link: `<${shop.baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
    },
  })
