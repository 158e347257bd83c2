import { type PricedAsset, testUsdc } from '../core/assets.ts'
import { base, baseSepolia, type Network } from '../core/networks.ts'
import { ConfigError } from './config-error.ts'
import type { Environment } from './environment.ts'
import { type FacilitatorChoices, toFacilitators } from './facilitators.ts'

/** A network other than Base on which payments are accepted, with its node and its facilitators. */
export interface OtherNetwork extends FacilitatorChoices {
  readonly network: Network
  readonly usdc: PricedAsset
  readonly rpcUrl: string
  /** The port of our own facilitator for this network. */
  readonly facilitatorPort: number
  /** The port of the local chain that simulates this network in the sandbox. */
  readonly chainPort: number
  /** Never printed. */
  readonly facilitatorKey: () => string | undefined
}

const settings = [
  'BASE_SEPOLIA_RPC_URL',
  'BASE_SEPOLIA_FACILITATOR_URL',
  'BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY',
  'BASE_SEPOLIA_FACILITATOR_PORT',
  'BASE_SEPOLIA_CHAIN_PORT',
] as const satisfies (keyof Environment)[]

/**
 * Why live mode refuses each network of ALSO_NETWORKS: the only one there is is a test network, and a shop that
 * accepted its money would give products away. No setting allows it, because it can be tried in a sandbox at no risk.
 */
export const refusedLive = ({ ALSO_NETWORKS: names = [] }: Environment): string[] =>
  names.map(
    (name) =>
      `ALSO_NETWORKS names ${name}, a test network: anybody gets its money for free, and with it your products; use it only in the sandbox`,
  )

/**
 * The networks other than Base of a sandbox: on local chains of its own, or on those that the environment names.
 *
 * @param beside gives the port that is `offset` after PORT
 * @throws ConfigError when settings contradict each other
 */
export function otherNetworksOf(env: Environment, beside: (offset: number) => number): OtherNetwork[] {
  const names = env.ALSO_NETWORKS ?? []
  const stray = settings.find((name) => env[name] !== undefined)
  if (stray !== undefined && !names.includes(baseSepolia.slug))
    throw new ConfigError(`${stray} belongs to a network that ALSO_NETWORKS does not name: ${baseSepolia.slug}`)
  return names.map(() => toBaseSepolia(env, beside))
}

function toBaseSepolia(env: Environment, beside: (offset: number) => number): OtherNetwork {
  const { BASE_SEPOLIA_RPC_URL: rpc, BASE_SEPOLIA_FACILITATOR_URL: urls } = env
  const { BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: key } = env
  const facilitatorPort = env.BASE_SEPOLIA_FACILITATOR_PORT ?? beside(4)
  const chainPort = env.BASE_SEPOLIA_CHAIN_PORT ?? beside(5)
  if ((rpc === undefined) !== (urls === undefined))
    throw new ConfigError(
      'BASE_SEPOLIA_RPC_URL and BASE_SEPOLIA_FACILITATOR_URL must be set together, or neither for a chain of the sandbox',
    )
  if (rpc !== undefined && rpc === env.RPC_URL)
    throw new ConfigError('BASE_SEPOLIA_RPC_URL must not be RPC_URL: a node knows only one chain')
  if (urls?.includes('self') && key === undefined)
    throw new ConfigError(
      'BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY must be set when BASE_SEPOLIA_FACILITATOR_URL is self: each network has a gas wallet of its own',
    )
  if (key !== undefined && key.toLowerCase() === env.FACILITATOR_PRIVATE_KEY?.toLowerCase())
    throw new ConfigError('BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY must not be FACILITATOR_PRIVATE_KEY, which holds ether')
  const own = `http://127.0.0.1:${facilitatorPort}`
  return {
    ...toFacilitators(env, urls ?? [], own),
    network: baseSepolia,
    usdc: { ...testUsdc, perUsd: 1_000_000n },
    rpcUrl: rpc ?? `http://127.0.0.1:${chainPort}`,
    facilitatorPort,
    chainPort,
    facilitatorKey: () => key,
  }
}

interface Taken {
  readonly alsoAccepts: readonly PricedAsset[]
  readonly alsoNetworks: readonly Pick<OtherNetwork, 'usdc'>[]
}

/** All tokens that are accepted in addition to USDC on Base, in the order in which they are offered. */
export const alsoTaken = ({ alsoAccepts, alsoNetworks }: Taken): readonly PricedAsset[] => [
  ...alsoAccepts,
  ...alsoNetworks.map(({ usdc }) => usdc),
]

/** The RPC URL of the node for a network; undefined where no payments are accepted on it. */
export const rpcUrlOf = (
  { rpcUrl, alsoNetworks }: { rpcUrl: string; alsoNetworks: readonly Pick<OtherNetwork, 'network' | 'rpcUrl'>[] },
  id: string,
): string | undefined => (id === base.id ? rpcUrl : alsoNetworks.find(({ network }) => network.id === id)?.rpcUrl)
