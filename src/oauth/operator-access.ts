import type { Provider } from 'oidc-provider'
import type { z } from 'zod'
import { operatorScope, toOauthPlaces } from './places.ts'

/** A tool that only the operator may call. */
export interface OperatorTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: z.ZodObject
  readonly run: (input: Record<string, unknown>) => Promise<Record<string, unknown>>
  readonly annotations?: Readonly<Record<string, boolean>>
}

interface Options {
  readonly getProvider: () => Promise<Provider>
  readonly baseUrl: string
  readonly tools: readonly OperatorTool[]
}

/** `Bearer` and one token (RFC 6750, 2.1). */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*) *$/i

/**
 * Checks who may call the operator's tools: requests with a valid access token for this resource whose permission still
 * exists. Tokens are looked up each time, so a revocation takes effect at once.
 */
export function makeOperatorAccess({ getProvider, baseUrl, tools }: Options) {
  const { resource, resourceMetadata } = toOauthPlaces(baseUrl)

  const isAlive = async (token: string) => {
    const provider = await getProvider()
    const found = await provider.AccessToken.find(token)
    if (found?.aud !== resource) return undefined
    const grant = found.grantId === undefined ? undefined : await provider.Grant.find(found.grantId)
    return grant && found
  }

  function refusal({ url }: Request, status: 401 | 403, error?: { code: string; says: string }): Response {
    const parts = [
      ...(error ? [`error="${error.code}"`, `error_description="${error.says}"`] : []),
      `scope="${operatorScope}"`,
      `resource_metadata="${resourceMetadata(new URL(url).pathname)}"`,
    ]
    const body = error ? { error: error.code, error_description: error.says } : { error: 'authorization_required' }
    return Response.json(body, {
      status,
      headers: { 'www-authenticate': `Bearer ${parts.join(', ')}`, 'cache-control': 'no-store' },
    })
  }

  const isOperator = (token: Awaited<ReturnType<typeof isAlive>>): boolean => token?.scopes.has(operatorScope) === true

  return {
    tools,
    /** Whether the request carries a valid token of the operator. */
    async isSignedIn({ headers }: Request): Promise<boolean> {
      const shown = bearer.exec(headers.get('authorization') ?? '')?.[1]
      return shown !== undefined && isOperator(await isAlive(shown))
    },
    /** Undefined if the request is authorized; else the error response, which tells the client where to get a token. */
    async refuse(request: Request): Promise<Response | undefined> {
      const shown = request.headers.get('authorization')
      if (shown === null) return refusal(request, 401)
      const token = await isAlive(bearer.exec(shown)?.[1] ?? '')
      if (!token)
        return refusal(request, 401, { code: 'invalid_token', says: 'The token is unknown, expired or taken back' })
      if (isOperator(token)) return undefined
      const says = 'The token does not let its holder act as the operator'
      return refusal(request, 403, { code: 'insufficient_scope', says })
    },
  }
}

export type OperatorAccess = ReturnType<typeof makeOperatorAccess>
