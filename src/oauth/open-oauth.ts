import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../config.ts'
import { type Log, toLogText } from '../log.ts'
import { Problem, toProblemBody } from '../problem.ts'
import { sandboxPayTo } from '../sandbox/accounts.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { deriveKeys } from './derive-keys.ts'
import { makeAdapter } from './make-adapter.ts'
import { makeProvider } from './make-provider.ts'
import { makeOauthRecords } from './oauth-records.ts'
import { makeOperatorAccess, type OperatorAccess, type OperatorTool } from './operator-access.ts'
import { oauthPaths } from './places.ts'
import { toProtectedResource } from './protected-resource.ts'
import { makeRegisteredClients } from './registered-clients.ts'
import { pageHeaders } from './send-page.ts'
import { toServerMetadata } from './server-metadata.ts'
import { makeSignInLinks } from './sign-in-links.ts'
import { toNotePage } from './sign-in-page.ts'
import { makeSignInRoutes } from './sign-in-routes.ts'
import { makeWalletProofs } from './wallet-proofs.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly config: Pick<Config, 'baseUrl' | 'payTo' | 'rpcUrl' | 'limitsLoopback' | 'mode'>
  /** Of this installation; every key is derived from it. */
  readonly secret: string
  readonly tools: readonly OperatorTool[]
  readonly log: Log
  readonly now: () => number
}

/** The operator's sign-in for programs. */
export interface Oauth {
  /** Answers what is asked of its paths. `X-Forwarded-For` and `-Proto` must be the front's own words. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  readonly access: OperatorAccess
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/** Opens the authorization server, which keeps all it knows in the ledger. */
export function openOauth({ db, config, secret, tools, log, now }: Options): Oauth {
  const { baseUrl, payTo } = config
  const records = makeOauthRecords({ db, now })
  const clients = makeRegisteredClients({ db, now })
  const provider = makeProvider({
    baseUrl,
    keys: deriveKeys(secret),
    adapter: makeAdapter({ records, clients, now }),
    renderError(ctx, { error, error_description }) {
      for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
      ctx.body = toNotePage(
        'This request cannot be answered',
        error_description ?? error,
        'Start again from the program that asked.',
      )
    },
  })
  provider.on('server_error', (_ctx, error) => log('server.error', { error: toLogText(error) }))
  provider.onerror = (error) => log('server.error', { error: toLogText(error) })
  const toProvider = provider.callback()
  const canSign = payTo.toLowerCase() !== sandboxPayTo
  const routes = makeSignInRoutes({
    provider,
    baseUrl,
    links: makeSignInLinks({ records, baseUrl, now }),
    proofs: canSign
      ? { address: payTo, ...makeWalletProofs({ records, baseUrl, payTo, rpcUrl: config.rpcUrl, now }) }
      : undefined,
    abilities: tools.map(({ title }) => title),
  })
  const documents = new Map<string, object>([
    [oauthPaths.serverMetadata, toServerMetadata(baseUrl)],
    ...oauthPaths.resourceMetadata.map((path) => [path, toProtectedResource(baseUrl)] as const),
  ])
  // A program may ask for these from a web page, with the headers of its protocol.
  const documentHeaders = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
  }

  function sendProblem(req: IncomingMessage, res: ServerResponse, problem: Problem): void {
    const { retryAfterSeconds: wait } = problem.options
    const body = toProblemBody(problem, { baseUrl, requestId: String(req.headers['x-request-id']) })
    if (wait !== undefined) res.setHeader('retry-after', wait)
    res.writeHead(body.status, { 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    res.end(JSON.stringify(body))
  }

  async function register(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const address = String(req.headers['x-forwarded-for'] ?? '')
    const isExempt = config.mode === 'sandbox' && !config.limitsLoopback && loopback.test(address)
    const seconds = isExempt ? 0 : await clients.secondsToWait(address)
    if (seconds > 0) sendProblem(req, res, new Problem('rate-limited', { retryAfterSeconds: seconds }))
    else await toProvider(req, res)
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const document = documents.get(path)
    const uid = below(oauthPaths.signIn, path)
    const key = below(oauthPaths.link, path)
    if (document && isRead) {
      const body = JSON.stringify(document)
      const headers = {
        'content-type': 'application/json',
        'cache-control': 'public, max-age=3600',
        ...documentHeaders,
      }
      res
        .writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) })
        .end(req.method === 'HEAD' ? '' : body)
    } else if (document && req.method === 'OPTIONS') res.writeHead(204, documentHeaders).end()
    else if (uid !== undefined && (isRead || req.method === 'POST')) await routes.signIn(req, res, uid)
    else if (key !== undefined && isRead) await routes.link(req, res, key)
    else if (path === oauthPaths.register && req.method === 'POST') await register(req, res)
    else if (isProviders(path)) await toProvider(req, res)
    else sendProblem(req, res, new Problem('not-found'))
  }

  return { handle, access: makeOperatorAccess({ provider, baseUrl, tools, now }) }
}

const below = (folder: string, path: string): string | undefined =>
  path.startsWith(folder) ? path.slice(folder.length) : undefined

const { authorize, token, revoke, jwks } = oauthPaths
const isProviders = (path: string): boolean =>
  [authorize, token, revoke, jwks].some((each) => each === path) || path.startsWith(`${authorize}/`)
