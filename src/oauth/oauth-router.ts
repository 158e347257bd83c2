import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, type ProblemOptions, toProblemBody } from '../problem.ts'
import type { ProblemKind } from '../problem-kinds.ts'
import { oauthPaths } from './places.ts'
import { toProtectedResource } from './protected-resource.ts'
import { toServerMetadata } from './server-metadata.ts'
import type { makeSignInRoutes } from './sign-in-routes.ts'

type Answer = (req: IncomingMessage, res: ServerResponse, rest: string) => Promise<void>

interface Options {
  readonly baseUrl: string
  readonly routes: ReturnType<typeof makeSignInRoutes>
  /** The library, which knows its own paths. */
  readonly toProvider: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  /** How long an address has to wait before it may register another program. */
  readonly secondsToWait: (address: string) => number
}

/** Any page may be the program: what it can do is bounded by its own redirect address and its proof. */
const toCors = (methods: readonly string[]) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
})

/** Finds who answers below `/oauth/` and at the addresses of the metadata. What is not listed is not there. */
export function makeOauthRouter({ baseUrl, routes, toProvider, secondsToWait }: Options) {
  const read = ['GET', 'HEAD']
  const document = (content: object): { methods: string[]; answer: Answer } => {
    const body = JSON.stringify(content)
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600', ...toCors(read) }
    return {
      methods: read,
      async answer(req, res) {
        res.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) })
        res.end(req.method === 'HEAD' ? undefined : body)
      },
    }
  }
  const register: Answer = async (req, res) => {
    const seconds = secondsToWait(String(req.headers['x-forwarded-for'] ?? ''))
    if (seconds === 0) await toProvider(req, res)
    else refuse(req, res, 'rate-limited', { retryAfterSeconds: seconds })
  }
  const { authorize, token, revoke, jwks, signIn, link, serverMetadata, resourceMetadata } = oauthPaths
  /** By the whole path; what ends with a slash answers for everything below it. */
  const table = new Map<string, { readonly methods: readonly string[]; readonly answer: Answer }>([
    [authorize, { methods: ['GET'], answer: toProvider }],
    [`${authorize}/`, { methods: ['GET'], answer: toProvider }],
    [token, { methods: ['POST'], answer: toProvider }],
    [revoke, { methods: ['POST'], answer: toProvider }],
    [oauthPaths.register, { methods: ['POST'], answer: register }],
    [jwks, { methods: read, answer: toProvider }],
    [signIn, { methods: [...read, 'POST'], answer: routes.signIn }],
    [link, { methods: read, answer: routes.link }],
    [serverMetadata, document(toServerMetadata(baseUrl))],
    ...resourceMetadata.map((path) => [path, document(toProtectedResource(baseUrl))] as const),
  ])

  function refuse(req: IncomingMessage, res: ServerResponse, kind: ProblemKind, options: ProblemOptions = {}): void {
    const body = toProblemBody(new Problem(kind, options), { baseUrl, requestId: String(req.headers['x-request-id']) })
    const wait = options.retryAfterSeconds
    if (wait !== undefined) res.setHeader('retry-after', wait)
    const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...options.headers }
    res.writeHead(body.status, headers).end(req.method === 'HEAD' ? undefined : JSON.stringify(body))
  }

  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const rest = path.slice(folder.length)
    const found = table.get(path) ?? (rest === '' ? undefined : table.get(folder))
    if (!found) {
      refuse(req, res, 'not-found')
      return
    }
    const allow = [...found.methods, 'OPTIONS'].join(', ')
    if (req.method === 'OPTIONS') res.writeHead(204, { allow, ...toCors(found.methods) }).end()
    else if (found.methods.includes(req.method ?? '')) await found.answer(req, res, rest)
    else refuse(req, res, 'method-not-allowed', { headers: { allow } })
  }
}
