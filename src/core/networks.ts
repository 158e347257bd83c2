import { chainId, network } from './chain-constants.ts'

/** A network that payments can be made on. */
export interface Network {
  /** The id as x402 writes it (CAIP-2). */
  readonly id: `eip155:${number}`
  /** The EVM chain id, which signatures contain. */
  readonly chainId: number
  /** The name that people read. */
  readonly name: string
  /** The name in settings and in findings about this network. */
  readonly slug: string
  /** Whether money on this network is worth nothing. Statistics leave out its sales. */
  readonly isTest: boolean
}

/** The network on which every price is quoted first. */
export const base = { id: network, chainId, name: 'Base', slug: 'base', isTest: false } as const satisfies Network

/** The test network, where buyers try out their programs: its money is free. */
export const baseSepolia = {
  id: 'eip155:84532',
  chainId: 84532,
  name: 'Base Sepolia',
  slug: 'base-sepolia',
  isTest: true,
} as const satisfies Network

const known: readonly Network[] = [base, baseSepolia]

/** Ids of the networks whose money is worth nothing. */
export const testNetworks: readonly string[] = known.filter(({ isTest }) => isTest).map(({ id }) => id)

/** The network of a CAIP-2 id; undefined for one that we do not know. */
export const findNetwork = (id: string): Network | undefined => known.find((each) => each.id === id)

/**
 * The name of a network with its id, for people: money that is sent on another network is lost.
 *
 * @example showNetwork('eip155:8453') // 'Base (eip155:8453)'
 */
export function showNetwork(id: string): string {
  const found = findNetwork(id)
  return found ? `${found.name} (${id})` : id
}

/**
 * The network of a CAIP-2 id. Call it only with ids that this program itself put into payment terms.
 *
 * @throws Error for a network that we do not know
 */
export function getNetwork(id: string): Network {
  const found = findNetwork(id)
  if (!found) throw new Error(`${id} is no network of this shop`)
  return found
}

/** Whether money on this network is worth nothing. */
export const isTestNetwork = (id: string): boolean => testNetworks.includes(id)
