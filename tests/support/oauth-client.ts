import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'

const registeredSchema = z.object({ client_id: z.string() })
const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  token_type: z.literal('Bearer'),
  scope: z.literal('operator'),
})

export const redirectUri = 'http://127.0.0.1:4999/callback'

/** A browser that only keeps cookies: it follows no redirect and runs no script. */
export function openBrowser(ask: typeof fetch = fetch) {
  const jar = new Map<string, { value: string; path: string }>()
  return async (url: string, form?: Record<string, string>): Promise<Response> => {
    const { pathname } = new URL(url)
    const sent = [...jar]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split('@')[0]}=${value}`)
    const answer = await ask(url, {
      redirect: 'manual',
      headers: { cookie: sent.join('; '), accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      const path = attributes.find((each) => each.startsWith('path='))?.slice(5) ?? '/'
      jar.set(`${pair.slice(0, at)}@${path}`, { value: pair.slice(at + 1), path })
    }
    return answer
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** A program that asks for the operator's permission with hand-made requests, so that it can make wrong ones. */
export function makeOauthClient(baseUrl: string, send: typeof fetch = fetch) {
  const resource = `${baseUrl}/api/mcp`
  const post = (path: string, form: Record<string, string>): Promise<Response> =>
    send(baseUrl + path, { method: 'POST', body: new URLSearchParams(form) })
  return {
    register: (metadata: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
      send(`${baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ client_name: 'A program', redirect_uris: [redirectUri], ...metadata }),
      }),
    async registered(metadata: object = {}): Promise<string> {
      return registeredSchema.parse(await (await this.register(metadata)).json()).client_id
    },
    /** The address for the browser, and the PKCE verifier that later proves that the code is ours. */
    ask(clientId: string, changes: Record<string, string | undefined> = {}) {
      const verifier = randomBytes(32).toString('base64url')
      const wanted = {
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'operator',
        state: 'a state',
        resource,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...changes,
      }
      const query = new URLSearchParams(
        Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      )
      return { url: `${baseUrl}/oauth/authorize?${query}`, verifier }
    },
    exchange: (
      clientId: string,
      code: string,
      verifier: string,
      changes: Record<string, string> = {},
    ): Promise<Response> =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...changes,
      }),
    refresh: (clientId: string, token: string): Promise<Response> =>
      post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }),
    revoke: (clientId: string, token: string): Promise<Response> =>
      post('/oauth/revoke', { client_id: clientId, token }),
    readTokens: async (answer: Response) => tokensSchema.parse(await answer.json()),
  }
}

export const locationOf = (answer: Response): string => answer.headers.get('location') ?? ''

/** Follows redirects within the site, and returns the first response that is not a redirect or leads elsewhere. */
export async function follow(
  browser: Browser,
  url: string,
  baseUrl: string,
): Promise<{ answer: Response; url: string }> {
  const answer = await browser(url)
  const next = answer.status === 303 || answer.status === 302 ? new URL(locationOf(answer), url).href : undefined
  return next?.startsWith(`${baseUrl}/`) ? follow(browser, next, baseUrl) : { answer, url }
}

/** The parameters of a redirect to the program's own address. */
export function answerOf(location: string): URLSearchParams {
  if (!location.startsWith(`${redirectUri}?`)) throw new Error(`the answer went to ${location}`)
  return new URL(location).searchParams
}
