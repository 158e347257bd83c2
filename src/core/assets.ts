import { network, usdcDomain } from './chain-constants.ts'
import type { MicroUsd } from './money.ts'
import { baseSepolia, getNetwork, type Network } from './networks.ts'

/** A token with EIP-3009 on one network. */
export interface Asset {
  /** For people. */
  readonly symbol: string
  /** Where it is (CAIP-2). */
  readonly network: Network['id']
  readonly address: string
  /** What it calls itself in EIP-712. */
  readonly domain: { readonly name: string; readonly version: string }
}

/** A token that is taken beside USDC on Base. */
export interface PricedAsset extends Asset {
  /** Atomic units for a dollar, as the operator says. */
  readonly perUsd: bigint
}

/** Circle's EURC on Base, of six decimals like USDC. */
export const eurc: Asset = {
  symbol: 'EURC',
  network,
  address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
  domain: { name: 'EURC', version: '2' },
}

/** Circle's USDC on Base Sepolia, which nobody may take for dollars. */
export const testUsdc: Asset = {
  symbol: 'test USDC',
  network: baseSepolia.id,
  address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  domain: { name: 'USDC', version: '2' },
}

const microsPerDollar = 1_000_000n
const find = (address: string): Asset | undefined =>
  [eurc, testUsdc].find((asset) => address.toLowerCase() === asset.address.toLowerCase())

/** A price in atomic units of another token, rounded up so that nothing is ever for nothing. */
export const toUnits = (price: MicroUsd, perUsd: bigint): bigint =>
  (price * perUsd + microsPerDollar - 1n) / microsPerDollar

/** What buyers sign for when they pay in a token; USDC unless it is another one that we know. */
export const domainOf = (address: string): Asset['domain'] => find(address)?.domain ?? usdcDomain

/** The name of a token for people. */
export const symbolOf = (address: string): string => find(address)?.symbol ?? 'USDC'

/** So many atomic units of a token, for people: `0.092 EURC`. */
export function showUnits(units: bigint, address: string): string {
  const fraction = (units % microsPerDollar)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${units / microsPerDollar}.${fraction} ${symbolOf(address)}`
}

/** Tokens and rates as the setting writes them, `eurc=920000`; of another network than Base its name. */
export const writeAcceptedAssets = (assets: readonly PricedAsset[]): string =>
  assets
    .map(({ symbol, network: on, perUsd }) =>
      on === network ? `${symbol.toLowerCase()}=${perUsd}` : getNetwork(on).slug,
    )
    .join(',')
