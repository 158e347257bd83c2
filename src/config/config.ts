import { join } from 'node:path'
import type { PricedAsset } from '../core/assets.ts'
import type { GasLimits } from '../core/gas-limits.ts'
import { validate } from '../core/validate.ts'
import { ConfigError } from './config-error.ts'
import { type EngineChoices, enginesOf } from './engine-settings.ts'
import { type EgressTestHost, type Environment, environmentSchema, isLoopback } from './environment.ts'
import { type FacilitatorChoices, facilitatorsOf } from './facilitators.ts'
import { type NotificationSettings, notificationsOf } from './notification-settings.ts'
import { type OtherNetwork, otherNetworksOf, refusedLive } from './other-networks.ts'
import { sandboxPayTo, wellKnownAddresses, wellKnownKeys } from './sandbox-accounts.ts'
import { type StorageSettings, storageOf } from './storage-settings.ts'

/** The settings of the programs, read once at start and never changed. */
export interface Config extends FacilitatorChoices, NotificationSettings {
  readonly mode: 'sandbox' | 'live'
  readonly host: string
  readonly port: number
  readonly gamePort: number
  readonly facilitatorPort: number
  readonly chainPort: number
  readonly dataDir: string
  /** The PostgreSQL database that replaces the SQLite files in `dataDir`. Never printed. */
  readonly databaseUrl: () => string | undefined
  readonly backupDir: string
  /** The storage for large files; when absent they are in folders. */
  readonly storage: StorageSettings | undefined
  /** Whether backups are kept in `storage` rather than in `backupDir`. */
  readonly storesBackups: boolean
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly gameUrl: string
  readonly wsUrl: string
  readonly payTo: string
  readonly asset: string
  /** Tokens on Base that are accepted in addition to USDC. */
  readonly alsoAccepts: readonly PricedAsset[]
  /** Networks other than Base on which USDC is accepted. The game's store accepts none of them. */
  readonly alsoNetworks: readonly OtherNetwork[]
  /** Never printed: it is a function, which logs and JSON leave out. */
  readonly facilitatorKey: () => string | undefined
  /** The limits on the gas of a settlement by our own facilitator. */
  readonly gasLimits: GasLimits
  /** Factories of contract wallets that our own facilitator deploys with their first payment (ERC-6492). Lower case. */
  readonly walletFactories: readonly string[]
  readonly rpcUrl: string
  /** The secret that resume tokens of bought player names and the key of receipts are derived from. Never printed. */
  readonly secret: () => string | undefined
  /** The address at which other game hosts of the same database reach this one. */
  readonly hostUrl: string | undefined
  /** Whether rate limits also apply to callers on this machine. */
  readonly limitsLoopback: boolean
  /** The number of proxies in front of the programs whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number
  /** The bearer token for reading metrics from other machines. Never printed. */
  readonly metricsToken: () => string | undefined
  /** Where traces are sent; `share` of them, from 0 to 1, is recorded. `headers` are never printed. */
  readonly tracing:
    | {
        readonly url: string
        readonly headers: () => Readonly<Record<string, string>>
        readonly serviceName: string | undefined
        readonly share: number
      }
    | undefined
  /** Wallets of the operator, whose purchases statistics leave out. Lower case. */
  readonly ownWallets: readonly string[]
  /** Whether the site narrates new posts without being told to. */
  readonly narrates: boolean
  /** Whether the site runs jobs when they are due. */
  readonly runsJobs: boolean
  /** The nice value, 0 to 19, of background work that asks for `wanted`. */
  readonly niceness: (wanted: number) => number
  /** The engines that make the images and narrations that are sold. */
  readonly engines: EngineChoices
  /** Test hosts of the sandbox, for trying the products that fetch pages of strangers. */
  readonly egressTest: { readonly hosts: ReadonlyMap<string, EgressTestHost>; readonly caFile: string | undefined }
}

const names = Object.keys(environmentSchema.shape)
/** Settings with our prefix that another program on the same machine reads: the buying program. */
const othersNames = ['FARTHING_PRIVATE_KEY']

/**
 * Reads the environment. Each program calls it once and passes the values on.
 *
 * @throws ConfigError that names each wrong or missing key and the fix
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(names.map((name) => [name, env[name] === '' ? undefined : env[name]]))
  const typo = Object.keys(env).find(
    (name) => name.startsWith('FARTHING_') && ![...names, ...othersNames].includes(name),
  )
  if (typo) throw new ConfigError(`${typo} is not a setting; the ones that exist are ${names.join(', ')}`)
  const read = validate(environmentSchema, given, { isOnce: true })
  if (read.is === 'wrong')
    throw new ConfigError(read.faults.map(({ path, detail }) => `${String(path[0])} ${detail}`).join('\n'))
  return read.value.FARTHING_MODE === 'live' ? liveConfig(read.value) : sandboxConfig(read.value)
}

const toWebSocketUrl = (gameUrl: string): string => `${gameUrl.replace(/^http/, 'ws')}/ws`

function sandboxConfig(env: Environment): Config {
  if (env.PORT === 0 && !env.BASE_URL)
    throw new ConfigError('BASE_URL must be set when PORT is 0: the built pages carry their own address')
  const beside = (offset: number) => (env.PORT === 0 ? 0 : env.PORT + offset)
  const facilitatorPort = env.FACILITATOR_PORT ?? beside(2)
  const chainPort = env.CHAIN_PORT ?? beside(3)
  const gamePort = env.GAME_PORT ?? beside(1)
  const gameUrl = env.GAME_URL ?? `http://localhost:${gamePort}`
  return {
    ...shared(env),
    mode: 'sandbox',
    gamePort,
    facilitatorPort,
    chainPort,
    baseUrl: env.BASE_URL ?? `http://localhost:${env.PORT}`,
    gameUrl,
    wsUrl: env.WS_URL ?? toWebSocketUrl(gameUrl),
    payTo: env.PAY_TO_ADDRESS ?? sandboxPayTo,
    ...facilitatorsOf(env, `http://127.0.0.1:${facilitatorPort}`),
    rpcUrl: env.RPC_URL ?? `http://127.0.0.1:${chainPort}`,
    alsoNetworks: otherNetworksOf(env, beside),
  }
}

/** The settings that live mode requires, because real money depends on them. */
const neededLive = ['BASE_URL', 'GAME_URL', 'PAY_TO_ADDRESS', 'FACILITATOR_URL', 'RPC_URL'] as const

function liveConfig(env: Environment): Config {
  const { BASE_URL, GAME_URL, PAY_TO_ADDRESS, FACILITATOR_URL, RPC_URL } = env
  if (!BASE_URL || !GAME_URL || !PAY_TO_ADDRESS || !FACILITATOR_URL || !RPC_URL) {
    const missing = neededLive.filter((name) => env[name] === undefined)
    throw new ConfigError(missing.map((name) => `${name} must be set in live mode`).join('\n'))
  }
  const wrong = refusedLive(env)
  if (wellKnownAddresses.has(PAY_TO_ADDRESS.toLowerCase()))
    wrong.push('PAY_TO_ADDRESS is a well-known sandbox address: anyone could take the money; use your own wallet')
  if (env.FACILITATOR_PRIVATE_KEY && wellKnownKeys.has(env.FACILITATOR_PRIVATE_KEY.toLowerCase()))
    wrong.push('FACILITATOR_PRIVATE_KEY is a well-known sandbox key; use your own')
  if (FACILITATOR_URL.includes('self') && !env.FACILITATOR_PRIVATE_KEY)
    wrong.push('FACILITATOR_PRIVATE_KEY must be set when FACILITATOR_URL is self')
  for (const name of ['BASE_URL', 'GAME_URL'] as const)
    if (!env[name]?.startsWith('https:'))
      wrong.push(
        `${name} must be https in live mode: over plain http anybody in between can put another wallet into the terms`,
      )
  if (env.WS_URL?.startsWith('ws:')) wrong.push('WS_URL must be wss in live mode: the socket carries resume tokens')
  if (env.WEBHOOK_URL !== undefined && isLoopback(env.WEBHOOK_URL))
    wrong.push('WEBHOOK_URL must not be on this machine in live mode; name an https address of your receiver')
  for (const name of ['EGRESS_TEST_HOSTS', 'EGRESS_TEST_CA'] as const)
    if (env[name] !== undefined)
      wrong.push(`${name} is for the sandbox only: in live mode only public addresses are fetched; unset it`)
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return {
    ...shared(env),
    mode: 'live',
    gamePort: env.GAME_PORT ?? env.PORT + 1,
    facilitatorPort: env.FACILITATOR_PORT ?? env.PORT + 2,
    chainPort: env.CHAIN_PORT ?? env.PORT + 3,
    baseUrl: BASE_URL,
    gameUrl: GAME_URL,
    wsUrl: env.WS_URL ?? toWebSocketUrl(GAME_URL),
    payTo: PAY_TO_ADDRESS,
    ...facilitatorsOf(env, ''),
    rpcUrl: RPC_URL,
    alsoNetworks: otherNetworksOf(env, (offset) => env.PORT + offset),
  }
}

function shared(env: Environment) {
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: env.DATA_DIR,
    databaseUrl: () => env.DATABASE_URL,
    backupDir: env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups'),
    storage: storageOf(env),
    storesBackups: env.STORAGE_URL !== undefined && env.BACKUP_DIR === undefined,
    asset: env.USDC_CONTRACT_ADDRESS,
    alsoAccepts: env.ALSO_ACCEPTS ?? [],
    facilitatorKey: () => env.FACILITATOR_PRIVATE_KEY,
    gasLimits: gasLimitsOf(env),
    walletFactories: env.WALLET_FACTORIES ?? [],
    secret: () => env.FARTHING_SECRET,
    hostUrl: env.GAME_HOST_URL,
    // Off in the sandbox; on in live mode, because behind a proxy that is not declared all callers seem to be on this
    // machine.
    limitsLoopback: (env.RATE_LIMITS ?? (env.FARTHING_MODE === 'live' ? 'on' : 'off')) === 'on',
    trustedProxies: env.TRUSTED_PROXIES,
    metricsToken: () => env.METRICS_TOKEN,
    ...notificationsOf(env),
    tracing: tracingOf(env),
    ownWallets: env.OWN_WALLETS ?? [],
    narrates: env.NARRATION === 'on',
    runsJobs: env.JOBS === 'on',
    niceness: (wanted: number) => (env.WORKER_PRIORITY === 'usual' ? 0 : wanted),
    engines: enginesOf(env),
    egressTest: { hosts: env.EGRESS_TEST_HOSTS ?? new Map(), caFile: env.EGRESS_TEST_CA },
  }
}

function tracingOf(env: Environment): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = env
  if (url === undefined) return undefined
  if (Object.keys(headers).length > 0 && !url.startsWith('https:') && !isLoopback(url))
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be https, or on this machine, when OTEL_EXPORTER_OTLP_HEADERS is set',
    )
  return { url, headers: () => headers, serviceName: env.OTEL_SERVICE_NAME, share: env.OTEL_TRACES_SAMPLER_ARG }
}

/** The sandbox has no limit on the share, because gas costs nothing there, whatever its simulated price. */
function gasLimitsOf(env: Environment): GasLimits {
  const percent = env.SETTLEMENT_MAX_GAS_SHARE ?? (env.FARTHING_MODE === 'live' ? 50 : undefined)
  return {
    maxGas: env.SETTLEMENT_MAX_GAS,
    ...(percent !== undefined && { maxShare: { percent, etherUsd: env.SETTLEMENT_ETH_USD } }),
  }
}
