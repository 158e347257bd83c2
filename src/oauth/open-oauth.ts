import { isLoopback, toClientKey } from '../http/client-key.ts'
import type { NodeHandle } from '../http/route.ts'
import type { OauthOptions } from './oauth-options.ts'
import { makeOauthRecords } from './oauth-records.ts'
import { makeOauthRoutes } from './oauth-routes.ts'
import type { OauthDatabase } from './open-oauth-database.ts'
import type { openSignIn } from './open-sign-in.ts'
import { makeOperatorAccess } from './operator-access.ts'
import { makeRegisteredClients } from './registered-clients.ts'

interface Options extends OauthOptions {
  readonly db: OauthDatabase
}

/**
 * The operator's sign-in for programs: what it answers, for which `X-Forwarded-For` and `-Proto` must be the front's own
 * words, and who may call the operator's tools. Its library is loaded when somebody first needs it: most never do.
 */
export function openOauth({ db, ...options }: Options) {
  const { config, tools, now } = options
  const { baseUrl } = config
  const records = makeOauthRecords({ db, now })
  const clients = makeRegisteredClients({ db, records, now })
  type SignIn = ReturnType<typeof openSignIn>
  let opened: Promise<SignIn> | undefined
  const open = (): Promise<SignIn> => {
    opened ??= import('./open-sign-in.ts').then((module) => module.openSignIn({ ...options, records, clients }))
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
  return { routes, access: makeOperatorAccess({ getProvider, baseUrl, tools }) }
}
