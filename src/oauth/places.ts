const metadataPath = '/.well-known/oauth-protected-resource'

/** The tools have two addresses. A client believes no metadata that names another than the one it asks (RFC 9728, 3.3). */
export const toolPaths = ['/api/mcp', '/mcp'] as const
export type ToolPath = (typeof toolPaths)[number]
const [firstPath] = toolPaths
/** How an address may go on that a program is given; some programs name all of it, as they write it, and others its path. */
const endings = ['', '?operator', '?operator=']

/** Where the authorization server and what it protects are found. */
export const toOauthPlaces = (baseUrl: string) => ({
  /** What an access token is good for: the audience of every token, whichever address it was asked for. */
  resource: baseUrl + firstPath,
  /** Each name of that resource. */
  resources: toolPaths.flatMap((path) => endings.map((ending) => baseUrl + path + ending)),
  /** Of the address that was asked. */
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
  /** RFC 9728: for the site as a whole, and for each address of what is protected. */
  resourceMetadata: [
    { path: metadataPath, of: firstPath },
    { path: `${metadataPath}/api/mcp`, of: '/api/mcp' },
    { path: `${metadataPath}/mcp`, of: '/mcp' },
  ],
} as const

/** The one permission there is: to act as the operator. */
export const operatorScope = 'operator'
