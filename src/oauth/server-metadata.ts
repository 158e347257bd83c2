import { oauthPaths, operatorScope } from './places.ts'

/** What the authorization server can do (RFC 8414); only what it does, which is less than its library could. */
export const toServerMetadata = (baseUrl: string) => ({
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
