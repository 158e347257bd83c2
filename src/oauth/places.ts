const metadataPath = '/.well-known/oauth-protected-resource'

/**
 * The two paths of the tools. Clients accept metadata only if it names the address that they asked for (RFC 9728, 3.3).
 */
export const toolPaths = ['/api/mcp', '/mcp'] as const
export type ToolPath = (typeof toolPaths)[number]
const [firstPath] = toolPaths
/**
 * The endings that the address may have in a client's configuration. Some clients name the whole address as the
 * resource, others only its path.
 */
const endings = ['', '?operator', '?operator=']

/** The addresses of the protected resource and of its metadata. */
export const toOauthPlaces = (baseUrl: string) => ({
  /** The audience of every access token, whichever address it was requested for. */
  resource: baseUrl + firstPath,
  /** All accepted names of that resource. */
  resources: toolPaths.flatMap((path) => endings.map((ending) => baseUrl + path + ending)),
  /** The address of the metadata for the requested path. */
  resourceMetadata: (path: string) => baseUrl + metadataPath + (toolPaths.find((known) => known === path) ?? firstPath),
})

/** Paths of the authorization server, below the public address. */
export const oauthPaths = {
  folder: '/oauth/',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  jwks: '/oauth/jwks.json',
  signIn: '/oauth/sign-in/',
  link: '/oauth/link/',
  serverMetadata: '/.well-known/oauth-authorization-server',
  /** Paths of the metadata (RFC 9728): for the site as a whole, and for each path of the tools. */
  resourceMetadata: [
    { path: metadataPath, of: firstPath },
    { path: `${metadataPath}/api/mcp`, of: '/api/mcp' },
    { path: `${metadataPath}/mcp`, of: '/mcp' },
  ],
} as const

/** The only scope: to act as the operator. */
export const operatorScope = 'operator'
