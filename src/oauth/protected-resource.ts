import siteConfig from '../../site.config.ts'
import { operatorScope, toOauthPlaces } from './places.ts'

/** What protects the operator's tools, and where a client gets a token for them (RFC 9728). */
export const toProtectedResource = (baseUrl: string) => ({
  resource: toOauthPlaces(baseUrl).resource,
  authorization_servers: [baseUrl],
  scopes_supported: [operatorScope],
  bearer_methods_supported: ['header'],
  resource_name: `${siteConfig.name}: the operator's tools`,
  resource_documentation: `${baseUrl}/agents`,
})
