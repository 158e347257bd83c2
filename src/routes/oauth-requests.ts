import { z } from 'zod'
import { inQuery } from './parameters.ts'
import type { Operation } from './route.ts'

/** The schema of a JSON object of which only the names of members are documented. */
export const object = (...required: readonly string[]) => ({ type: 'object', required })
export const json = (...required: readonly string[]) => ({ 'application/json': object(...required) })

const refused = {
  description: 'The request is refused; error says why (RFC 6749)',
  answer: json('error'),
}

/** The authorization request, with which a program sends a browser to the operator's sign-in. */
export const authorizing = {
  status: 303,
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
    400: {
      description: 'The request is refused',
      answer: { 'text/html': { type: 'string' }, 'application/json': object('error') },
    },
  },
} satisfies Partial<Operation>

/** The requests to register a program, and to get, renew and revoke its token. */
export const registering = {
  status: 201,
  body: {
    schema: z.object({
      redirect_uris: z
        .array(z.url())
        .describe('https, or http on this machine; addresses of a scheme of its own beside such ones are left out'),
      client_name: z.string().optional(),
    }),
    example: {
      client_name: 'My agent',
      redirect_uris: ['http://127.0.0.1:8976/callback'],
      token_endpoint_auth_method: 'none',
    },
  },
  responses: { 400: refused },
} satisfies Partial<Operation>
export const exchanging = {
  form: {
    schema: z.object({ grant_type: z.string(), client_id: z.string() }),
    example: {
      grant_type: 'refresh_token',
      client_id: 'from-the-registration',
      refresh_token: 'from-an-earlier-answer',
    },
  },
  responses: { 400: refused, 401: refused },
} satisfies Partial<Operation>
export const revoking = {
  form: {
    schema: z.object({ token: z.string(), client_id: z.string() }),
    example: { token: 'the-token', client_id: 'from-the-registration' },
  },
  responses: { 400: refused, 401: refused },
} satisfies Partial<Operation>
