import type { KoaContextWithOIDC } from 'oidc-provider'
import { sandboxPayTo } from '../config/sandbox-accounts.ts'
import { toLogText } from '../core/log.ts'
import { deriveKeys } from './derive-keys.ts'
import { makeAdapter } from './make-adapter.ts'
import { makeProvider } from './make-provider.ts'
import type { OauthOptions } from './oauth-options.ts'
import type { OauthRecords } from './oauth-records.ts'
import type { RegisteredClients } from './registered-clients.ts'
import { pageHeaders } from './send-page.ts'
import { makeSignInLinks } from './sign-in-links.ts'
import { toDeniedPage, toNotePage } from './sign-in-page.ts'
import { makeSignInRoutes } from './sign-in-routes.ts'
import { makeWalletProofs } from './wallet-proofs.ts'

interface Options extends OauthOptions {
  readonly records: OauthRecords
  readonly clients: RegisteredClients
}

function showPage(ctx: KoaContextWithOIDC, html: string): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = html
}

/** Opens the authorization server's library and the sign-in, which take 20 MB. */
export function openSignIn({ records, clients, config, secret, tools, log, now }: Options) {
  const { baseUrl, payTo } = config
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
  const { signIn, link } = makeSignInRoutes({
    provider,
    baseUrl,
    links: makeSignInLinks({ records, baseUrl, now }),
    proofs: canSign
      ? {
          address: payTo,
          ...makeWalletProofs({ records, baseUrl, payTo, rpcUrl: config.rpcUrl, key: keys.messages, now }),
        }
      : undefined,
    hold: async ({ uid, clientId }) => {
      await records.holdForOperator('Interaction', uid)
      await records.holdForOperator('Client', clientId)
    },
    abilities: tools.map(({ title }) => title),
  })
  return { provider, toProvider: provider.callback(), signIn, link }
}
