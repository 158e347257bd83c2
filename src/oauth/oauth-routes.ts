import siteConfig from '../../site.config.ts'
import { Problem } from '../core/problem.ts'
import { toNodeHandle } from '../http/node-handle.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import { oauthPaths, operatorScope, type ToolPath } from './places.ts'

interface Options {
  readonly baseUrl: string
  readonly routes: Readonly<Record<'signIn' | 'link', NodeHandle>>
  /** The handler of the library, which has its own routing. */
  readonly toProvider: NodeHandle
  /** The seconds until an address may register another client; 0 if it may now. */
  readonly secondsToWait: (address: string) => number
}

/** The routes below `/oauth/` and those of the metadata documents. `X-Forwarded-For` has to be set by the front. */
export function makeOauthRoutes({ baseUrl, routes, toProvider, secondsToWait }: Options): Route<NodeHandle>[] {
  // Any origin may be a client: its redirect address and PKCE bound what it can do.
  const route = (path: Route['path'], handlers: Route<NodeHandle>['handlers']): Route<NodeHandle> => ({
    path,
    handlers,
    crossOriginHeaders: 'Content-Type, MCP-Protocol-Version',
  })
  const document = (path: Route['path'], content: object): Route<NodeHandle> =>
    route(path, {
      GET: toNodeHandle(() => Response.json(content, { headers: { 'cache-control': 'public, max-age=3600' } })),
    })
  const register: NodeHandle = async (req, res, name) => {
    const retryAfterSeconds = secondsToWait(String(req.headers['x-forwarded-for'] ?? ''))
    if (retryAfterSeconds > 0) throw new Problem('rate-limited', { retryAfterSeconds })
    await toProvider(req, res, name)
  }
  const { authorize, token, revoke, jwks, signIn, link, serverMetadata, resourceMetadata } = oauthPaths
  return [
    route(authorize, { GET: toProvider }),
    route(`${authorize}/:uid`, { GET: toProvider }),
    route(token, { POST: toProvider }),
    route(revoke, { POST: toProvider }),
    route(oauthPaths.register, { POST: register }),
    route(jwks, { GET: toProvider }),
    route(`${signIn}:uid`, { GET: routes.signIn, POST: routes.signIn }),
    route(`${link}:key`, { GET: routes.link }),
    document(serverMetadata, toServerMetadata(baseUrl)),
    ...resourceMetadata.map(({ path, of }) => document(path, toProtectedResource(baseUrl, of))),
  ]
}

/**
 * The metadata of the authorization server (RFC 8414). It lists only what this server does, which is less than the
 * library could.
 */
const toServerMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + oauthPaths.authorize,
  token_endpoint: baseUrl + oauthPaths.token,
  registration_endpoint: baseUrl + oauthPaths.register,
  revocation_endpoint: baseUrl + oauthPaths.revoke,
  jwks_uri: baseUrl + oauthPaths.jwks,
  scopes_supported: [operatorScope],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

/**
 * The metadata of the protected resource, which tells clients where to get a token for the operator's tools (RFC 9728).
 */
const toProtectedResource = (baseUrl: string, path: ToolPath) => ({
  resource: baseUrl + path,
  authorization_servers: [baseUrl],
  scopes_supported: [operatorScope],
  bearer_methods_supported: ['header'],
  resource_name: `${siteConfig.name}: the operator's tools`,
  resource_documentation: `${baseUrl}/agents`,
})
