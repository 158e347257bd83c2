import type { Config } from '../config/config.ts'
import { environmentSchema, siteSettings } from '../config/environment.ts'
import { allFacilitators, type FacilitatorChoice } from '../config/facilitators.ts'
import { toProgramEnvironment } from '../config/program-environment.ts'

/** What only facilitators of somebody else are shown. */
const credentials: ReadonlySet<string> = new Set(['FACILITATOR_HEADERS', 'CDP_API_KEY_ID', 'CDP_API_KEY_SECRET'])

/** The headers of those that the game host asks, by their address: it knows no facilitator of another network. */
const toHeaders = (choices: readonly FacilitatorChoice[]): string =>
  JSON.stringify(Object.fromEntries(choices.map(({ url, headers }) => [url, headers])))

/**
 * The environment of the game host: its own settings, and where to find the facilitator and the chain that this program
 * starts or knows. The gas key and the keys of engines stay here. What one may set together was checked when `config`
 * was read; to the game host its parent's own facilitator is one on this machine like any other.
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
