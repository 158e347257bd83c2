import type { FreeTable } from './free-operation.ts'

const object = (...required: readonly string[]) => ({ 'application/json': { schema: { type: 'object', required } } })
const string = { type: 'string' }
const uri = { type: 'string', format: 'uri' }
const page = { 'text/html': { schema: string } }
const refused = { description: 'The request is refused; error says why (RFC 6749)', content: object('error') }
const inQuery = (name: string, description: string) => ({ name, in: 'query', description, schema: string })

const resourceMetadata = {
  summary: "What protects the operator's tools",
  answer: 'Protected resource metadata (RFC 9728)',
  content: object('resource', 'authorization_servers'),
}

/** How a program gets a token for the operator's tools; nothing else here needs one. */
export const operatorOperations: FreeTable = {
  '/.well-known/oauth-protected-resource': { id: 'get-protected-resource', ...resourceMetadata },
  '/.well-known/oauth-protected-resource/api/mcp': { id: 'get-protected-tools', ...resourceMetadata },
  '/.well-known/oauth-authorization-server': {
    id: 'get-authorization-server',
    summary: 'Where tokens are asked for',
    answer: 'Authorization server metadata (RFC 8414)',
    content: object('issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint'),
  },
  '/oauth/jwks.json': {
    id: 'get-token-keys',
    summary: 'The keys that sign tokens',
    answer: 'A JSON Web Key Set (RFC 7517)',
    content: { 'application/jwk-set+json': { schema: { type: 'object', required: ['keys'] } } },
  },
  'POST /oauth/register': {
    id: 'register-client',
    summary: 'Register a program (RFC 7591)',
    answer: 'The program, with its client_id',
    status: 201,
    content: object('client_id'),
    body: {
      schema: {
        type: 'object',
        required: ['redirect_uris'],
        properties: { redirect_uris: { type: 'array', items: uri }, client_name: string },
      },
      example: {
        client_name: 'My agent',
        redirect_uris: ['http://127.0.0.1:8976/callback'],
        token_endpoint_auth_method: 'none',
      },
    },
    responses: { 400: refused },
  },
  '/oauth/authorize': {
    id: 'authorize',
    summary: 'Send the operator here to agree (authorization code with PKCE)',
    answer: 'A page that says what is wrong with the request',
    content: page,
    parameters: [
      inQuery('client_id', 'From the registration'),
      inQuery('redirect_uri', 'One that was registered'),
      inQuery('response_type', 'code'),
      inQuery('code_challenge', 'S256 of the verifier'),
      inQuery('code_challenge_method', 'S256'),
      inQuery('scope', 'operator'),
      inQuery('resource', 'The address of the tools'),
      inQuery('state', 'Comes back as it is'),
    ],
    responses: {
      303: { description: 'To the sign-in, or back to the program with a code' },
      400: { description: 'The request is refused', content: { ...page, ...object('error') } },
    },
  },
  'POST /oauth/token': {
    id: 'get-token',
    summary: 'Exchange a code, or renew a token',
    answer: 'A token that is good for an address of the tools, and for a short while',
    content: object('access_token', 'token_type', 'expires_in'),
    form: {
      schema: {
        type: 'object',
        required: ['grant_type', 'client_id'],
        properties: { grant_type: string, client_id: string },
      },
      example: {
        grant_type: 'refresh_token',
        client_id: 'from-the-registration',
        refresh_token: 'from-an-earlier-answer',
      },
    },
    responses: { 400: refused, 401: refused },
  },
  'POST /oauth/revoke': {
    id: 'revoke-token',
    summary: 'Give a token back (RFC 7009)',
    answer: 'The token is void',
    content: {},
    form: {
      schema: { type: 'object', required: ['token', 'client_id'], properties: { token: string, client_id: string } },
      example: { token: 'the-token', client_id: 'from-the-registration' },
    },
    responses: { 400: refused, 401: refused },
  },
}
