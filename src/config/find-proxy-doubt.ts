import { globalAgent } from 'node:https'

interface Options {
  readonly mode: 'sandbox' | 'live'
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether Node.js was told to use the proxy variables, which it does not do by default. */
  readonly goesThrough?: boolean
}

/**
 * A warning when an outgoing proxy is configured but not used, because facilitator and RPC would then seem to be down.
 * Node.js reads `NODE_USE_ENV_PROXY` before our settings files are loaded, so in such a file it has no effect.
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
