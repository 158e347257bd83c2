import type { Config } from '../config/config.ts'
import { toProgramEnvironment } from '../config/program-environment.ts'
import { writeAcceptedAssets } from '../core/assets.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The environment variables from which Astro's process reads the same configuration as this process. Secrets are left
 * out, because a build needs none.
 *
 * @param asOf when the build will be served, if that is not now
 */
export function toBuildEnvironment(config: Config, env: Variables, asOf?: Date): NodeJS.ProcessEnv {
  return {
    ...toProgramEnvironment(env),
    ...(asOf && { BUILD_AS_OF: asOf.toISOString() }),
    FARTHING_MODE: config.mode,
    HOST: config.host,
    PORT: String(config.port),
    DATA_DIR: config.dataDir,
    BASE_URL: config.baseUrl,
    GAME_URL: config.gameUrl,
    WS_URL: config.wsUrl,
    PAY_TO_ADDRESS: config.payTo,
    USDC_CONTRACT_ADDRESS: config.asset,
    ALSO_ACCEPTS: writeAcceptedAssets(config.alsoAccepts),
    ALSO_NETWORKS: config.alsoNetworks.map(({ network }) => network.slug).join(','),
    FACILITATOR_URL: config.facilitator.url,
    RPC_URL: config.rpcUrl,
    ASTRO_TELEMETRY_DISABLED: '1',
  }
}
