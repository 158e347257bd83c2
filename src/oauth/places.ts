/** Where the authorization server and what it protects are found. */
export const toOauthPlaces = (baseUrl: string) => ({
  /** What an access token is good for: the audience of every token. */
  resource: `${baseUrl}/api/mcp`,
  resourceMetadata: `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`,
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
  /** RFC 9728: for the site as a whole, and for the resource that is protected. */
  resourceMetadata: ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp'],
} as const

/** The one permission there is: to act as the operator. */
export const operatorScope = 'operator'
