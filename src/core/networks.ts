import { chainId, network } from './chain-constants.ts'

/** A network that payments can be made on. */
export interface Network {
  /** As x402 writes it (CAIP-2). */
  readonly id: `eip155:${number}`
  /** The same as an EVM chain id, which signatures are good for. */
  readonly chainId: number
  /** For people. */
  readonly name: string
  /** In settings, and in the names of what is found of it. */
  readonly slug: string
  /** Whether its money is worth nothing: such sales are in no figure. */
  readonly isTest: boolean
}

/** Where every price is quoted first. */
export const base = { id: network, chainId, name: 'Base', slug: 'base', isTest: false } as const satisfies Network

/** Where buyers and their programs are tried out: anybody gets its money for nothing. */
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

/** Undefined for a network that we do not know. */
export const findNetwork = (id: string): Network | undefined => known.find((each) => each.id === id)

/**
 * For people, who lose what they send on another network.
 *
 * @example showNetwork('eip155:8453') // 'Base (eip155:8453)'
 */
export function showNetwork(id: string): string {
  const found = findNetwork(id)
  return found ? `${found.name} (${id})` : id
}

/** @throws Error for a network that we do not know: whoever asks has made terms for it */
export function getNetwork(id: string): Network {
  const found = findNetwork(id)
  if (!found) throw new Error(`${id} is no network of this shop`)
  return found
}

/** Whether money there is worth nothing. */
export const isTestNetwork = (id: string): boolean => testNetworks.includes(id)
