import type { Config } from '../config/config.ts'
import { environmentSchema, siteSettings } from '../config/environment.ts'
import { allFacilitators, type FacilitatorChoice } from '../config/facilitators.ts'
import { toProgramEnvironment } from '../config/program-environment.ts'

/** Credentials for remote facilitators. */
const credentials: ReadonlySet<string> = new Set(['FACILITATOR_HEADERS', 'CDP_API_KEY_ID', 'CDP_API_KEY_SECRET'])

/** The headers for the facilitators that the game host uses, by address: it has none of other networks. */
const toHeaders = (choices: readonly FacilitatorChoice[]): string =>
  JSON.stringify(Object.fromEntries(choices.map(({ url, headers }) => [url, headers])))

/**
 * The environment of the game host: its own settings, and the addresses of the facilitator and chain that this program
 * starts or knows. The gas key and the keys of engines are not passed on. Combinations of settings were validated when
 * `config` was read; the game host treats our own facilitator like any other on this machine.
 */
export function toGameHostEnvironment(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const all = allFacilitators(config)
  const isAnyRemote = all.some(({ is }) => is === 'remote')
  const known: Record<string, string> = {
    FACILITATOR_URL: all.map(({ url }) => url).join(','),
    RPC_URL: config.rpcUrl,
    GAME_PORT: String(config.gamePort),
    BASE_URL: config.baseUrl,
    GAME_URL: config.gameUrl,
    WS_URL: config.wsUrl,
    ...(config.alsoNetworks.length > 0 && { FACILITATOR_HEADERS: toHeaders(all) }),
  }
  const given = Object.keys(environmentSchema.shape).flatMap((name): [string, string][] => {
    const value = env[name]
    const isForOthers = siteSettings.has(name) || (!isAnyRemote && credentials.has(name))
    return value === undefined || isForOthers ? [] : [[name, value]]
  })
  return { ...toProgramEnvironment(env), ...Object.fromEntries(given), ...known }
}
