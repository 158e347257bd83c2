import { shop } from '../../config/site-context.ts'
import { toApiCatalog } from '../../discovery/well-known/api-catalog.ts'
import { prerendered } from '../../endpoints/served.ts'

export const GET = () =>
  prerendered('/.well-known/api-catalog', toApiCatalog(shop), {
    'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    // What a HEAD request is told (RFC 9727, section 2).
    link: `<${shop.baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
  })
