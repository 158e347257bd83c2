import type { KoaContextWithOIDC } from 'oidc-provider'
import { toLogText } from '../core/log.ts'
import type { deriveKeys } from './derive-keys.ts'
import { makeAdapter } from './make-adapter.ts'
import { makeProvider } from './make-provider.ts'
import type { OauthOptions } from './oauth-options.ts'
import type { OauthRecords } from './oauth-records.ts'
import type { RegisteredClients } from './registered-clients.ts'
import { pageHeaders } from './send-page.ts'
import type { SignInLinks } from './sign-in-links.ts'
import { toDeniedPage, toNotePage } from './sign-in-page.ts'
import { makeSignInRoutes } from './sign-in-routes.ts'
import type { WalletProofs } from './wallet-proofs.ts'

interface Options extends OauthOptions {
  readonly records: OauthRecords
  readonly clients: RegisteredClients
  readonly keys: ReturnType<typeof deriveKeys>
  readonly links: SignInLinks
  /** The proofs by wallet; absent where nobody has the key of the wallet. */
  readonly proofs: (WalletProofs & { readonly address: string }) | undefined
}

function showPage(ctx: KoaContextWithOIDC, html: string): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = html
}

/** Loads the library of the authorization server and the sign-in pages, which take 20 MB of memory. */
export function openSignIn({ records, clients, keys, links, proofs, config, tools, showLink, log, now }: Options) {
  const { baseUrl } = config
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
  const { signIn, link } = makeSignInRoutes({
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
  return { provider, toProvider: provider.callback(), signIn, link }
}
