import type { ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '../config/config.ts'
import { sandboxPayTo } from '../config/sandbox-accounts.ts'
import { type Log, toLogText } from '../core/log.ts'
import { isLoopback, toClientKey } from '../http/client-key.ts'
import { deriveKeys } from './derive-keys.ts'
import { makeAdapter } from './make-adapter.ts'
import { makeProvider } from './make-provider.ts'
import { makeOauthRecords } from './oauth-records.ts'
import { makeOauthRoutes } from './oauth-routes.ts'
import type { OauthDatabase } from './open-oauth-database.ts'
import { makeOperatorAccess, type OperatorTool } from './operator-access.ts'
import { makeRegisteredClients } from './registered-clients.ts'
import { pageHeaders } from './send-page.ts'
import { makeSignInLinks } from './sign-in-links.ts'
import { toDeniedPage, toNotePage } from './sign-in-page.ts'
import { makeSignInRoutes } from './sign-in-routes.ts'
import { makeWalletProofs } from './wallet-proofs.ts'

interface Options {
  readonly db: OauthDatabase
  readonly config: Pick<Config, 'baseUrl' | 'payTo' | 'rpcUrl' | 'limitsLoopback'>
  /** Of this installation; every key is derived from it. */
  readonly secret: string
  readonly tools: readonly OperatorTool[]
  /** What a printed link shows where no program waits. */
  readonly showLink: (res: ServerResponse, key: string) => void
  readonly log: Log
  readonly now: () => number
}

function showPage(ctx: KoaContextWithOIDC, html: string): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = html
}

/**
 * The operator's sign-in for programs: what it answers, for which `X-Forwarded-For` and `-Proto` must be the front's own
 * words, and who may call the operator's tools.
 */
export function openOauth({ db, config, secret, tools, showLink, log, now }: Options) {
  const { baseUrl, payTo } = config
  const records = makeOauthRecords({ db, now })
  const clients = makeRegisteredClients({ db, records, now })
  const keys = deriveKeys(secret)
  const provider = makeProvider({
    baseUrl,
    keys,
    adapter: makeAdapter({ records, clients, now }),
    renderError(ctx, { error, error_description }) {
      showPage(
        ctx,
        toNotePage(
          'This request cannot be answered',
          error_description ?? error,
          'Start again from the program that asked.',
        ),
      )
    },
    renderDenial: (ctx, back) => showPage(ctx, toDeniedPage(back)),
  })
  provider.on('server_error', (_ctx, error) => log('server.error', { error: toLogText(error) }))
  provider.onerror = (error) => log('server.error', { error: toLogText(error) })
  const canSign = payTo.toLowerCase() !== sandboxPayTo
  const links = makeSignInLinks({ records, baseUrl, now })
  const proofs = canSign
    ? {
        address: payTo,
        ...makeWalletProofs({ records, baseUrl, payTo, rpcUrl: config.rpcUrl, key: keys.messages, now }),
      }
    : undefined
  const signInRoutes = makeSignInRoutes({
    provider,
    baseUrl,
    links,
    proofs,
    showLink,
    hold: async ({ uid, clientId }) => {
      await records.holdForOperator('Interaction', uid)
      await records.holdForOperator('Client', clientId)
    },
    abilities: tools.map(({ title }) => title),
  })
  const routes = makeOauthRoutes({
    baseUrl,
    routes: signInRoutes,
    toProvider: provider.callback(),
    secondsToWait(address) {
      const isExempt = !config.limitsLoopback && isLoopback(address)
      return isExempt ? 0 : clients.secondsToWait(toClientKey(address))
    },
  })
  return {
    routes,
    access: makeOperatorAccess({ provider, baseUrl, tools }),
    /** The same proofs, for whoever signs in a browser. */
    signIn: { records, links, proofs, key: keys.pages },
  }
}
