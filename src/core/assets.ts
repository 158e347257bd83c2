import { network, usdcDomain } from './chain-constants.ts'
import type { MicroUsd } from './money.ts'
import { baseSepolia, getNetwork, type Network } from './networks.ts'

/** A token with EIP-3009 on one network. */
export interface Asset {
  /** The name that people read. */
  readonly symbol: string
  /** The network that the token is on (CAIP-2). */
  readonly network: Network['id']
  readonly address: string
  /** The EIP-712 domain of the token, as its contract has it. */
  readonly domain: { readonly name: string; readonly version: string }
}

/** A token that the shop accepts in addition to USDC on Base. */
export interface PricedAsset extends Asset {
  /** Atomic units of the token for one dollar, as the operator set it. */
  readonly perUsd: bigint
}

/** Circle's EURC on Base. Like USDC it has six decimals. */
export const eurc: Asset = {
  symbol: 'EURC',
  network,
  address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42',
  domain: { name: 'EURC', version: '2' },
}

/** Circle's USDC on the test network Base Sepolia, which is worth nothing. */
export const testUsdc: Asset = {
  symbol: 'test USDC',
  network: baseSepolia.id,
  address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  domain: { name: 'USDC', version: '2' },
}

const microsPerDollar = 1_000_000n
const find = (address: string): Asset | undefined =>
  [eurc, testUsdc].find((asset) => address.toLowerCase() === asset.address.toLowerCase())

/** A price in atomic units of another token, rounded up so that no price becomes zero. */
export const toUnits = (price: MicroUsd, perUsd: bigint): bigint =>
  (price * perUsd + microsPerDollar - 1n) / microsPerDollar

/** The EIP-712 domain that buyers sign for a token: its own if we know the token, else that of USDC. */
export const domainOf = (address: string): Asset['domain'] => find(address)?.domain ?? usdcDomain

/** The name of a token for people; `USDC` for an address that we do not know. */
export const symbolOf = (address: string): string => find(address)?.symbol ?? 'USDC'

/** An amount in atomic units of a token, for people: `0.092 EURC`. */
export function showUnits(units: bigint, address: string): string {
  const fraction = (units % microsPerDollar)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${units / microsPerDollar}.${fraction} ${symbolOf(address)}`
}

/**
 * Tokens as the setting of accepted assets writes them: on Base with the rate, `eurc=920000`; on another network the
 * name of the network alone.
 */
export const writeAcceptedAssets = (assets: readonly PricedAsset[]): string =>
  assets
    .map(({ symbol, network: on, perUsd }) =>
      on === network ? `${symbol.toLowerCase()}=${perUsd}` : getNetwork(on).slug,
    )
    .join(',')
