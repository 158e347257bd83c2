import { sandboxPayTo } from '../config/sandbox-accounts.ts'
import { isLoopback, toClientKey } from '../http/client-key.ts'
import type { NodeHandle } from '../http/route.ts'
import { deriveKeys } from './derive-keys.ts'
import type { OauthOptions } from './oauth-options.ts'
import { makeOauthRecords } from './oauth-records.ts'
import { makeOauthRoutes } from './oauth-routes.ts'
import type { OauthDatabase } from './open-oauth-database.ts'
import { makeOperatorAccess } from './operator-access.ts'
import { makeRegisteredClients } from './registered-clients.ts'
import { makeSignInLinks } from './sign-in-links.ts'
import { makeWalletProofs } from './wallet-proofs.ts'

interface Options extends OauthOptions {
  readonly db: OauthDatabase
}

/**
 * Opens the operator's sign-in for programs: its routes, for which the front has to set `X-Forwarded-For` and `-Proto`,
 * and the check of who may call the operator's tools. The library is loaded at the first request.
 */
export function openOauth({ db, ...options }: Options) {
  const { config, secret, tools, now } = options
  const { baseUrl, payTo, rpcUrl } = config
  const records = makeOauthRecords({ db, now })
  const clients = makeRegisteredClients({ db, records, now })
  const keys = deriveKeys(secret)
  const canSign = payTo.toLowerCase() !== sandboxPayTo
  const links = makeSignInLinks({ records, baseUrl, now })
  const proofs = canSign
    ? { address: payTo, ...makeWalletProofs({ records, baseUrl, payTo, rpcUrl, key: keys.messages, now }) }
    : undefined
  const proving = { records, clients, keys, links, proofs }

  type SignIn = ReturnType<typeof import('./open-sign-in.ts')['openSignIn']>
  let opened: Promise<SignIn> | undefined
  const open = (): Promise<SignIn> => {
    opened ??= import('./open-sign-in.ts').then((module) => module.openSignIn({ ...options, ...proving }))
    return opened
  }
  const later =
    (name: 'toProvider' | 'signIn' | 'link'): NodeHandle =>
    async (req, res, path) =>
      (await open())[name](req, res, path)
  const routes = makeOauthRoutes({
    baseUrl,
    routes: { signIn: later('signIn'), link: later('link') },
    toProvider: later('toProvider'),
    secondsToWait(address) {
      const isExempt = !config.limitsLoopback && isLoopback(address)
      return isExempt ? 0 : clients.secondsToWait(toClientKey(address))
    },
  })
  const getProvider = async () => (await open()).provider
  return {
    routes,
    access: makeOperatorAccess({ getProvider, baseUrl, tools }),
    /** The same proofs, for signing in with a browser. */
    signIn: { records, links, proofs, key: keys.pages },
  }
}
