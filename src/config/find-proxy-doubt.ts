import { globalAgent } from 'node:https'

interface Options {
  readonly mode: 'sandbox' | 'live'
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether Node.js was told to look at these variables, which it does not by itself. */
  readonly goesThrough?: boolean
}

/**
 * Whether a proxy that leads out is set for nothing: facilitator and RPC would seem not to answer. `NODE_USE_ENV_PROXY` is
 * looked at before files of settings are read, so that there it says nothing to Node.js.
 */
export function findProxyDoubt({
  mode,
  env,
  goesThrough = 'proxyEnv' in globalAgent.options && globalAgent.options.proxyEnv !== undefined,
}: Options): string | undefined {
  const name = ['HTTPS_PROXY', 'https_proxy'].find((each) => (env[each] ?? '') !== '')
  if (mode !== 'live' || name === undefined || goesThrough) return undefined
  return `${name} is set, but nothing uses that proxy; if it is this machine's only way to the internet, set NODE_OPTIONS=--use-env-proxy, and NO_PROXY=127.0.0.1,localhost`
}
