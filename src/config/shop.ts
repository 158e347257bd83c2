import type { PricedAsset } from '../core/assets.ts'
import { network } from '../core/chain-constants.ts'
import { toPublicUrl } from '../core/redact-url.ts'
import type { Config } from './config.ts'

/** The public facts of this installation that every published document repeats. */
export interface Shop {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Of the game host, without a trailing slash. */
  readonly gameUrl: string
  /** Where the game's socket answers. */
  readonly wsUrl: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** Tokens that are taken beside it. */
  readonly alsoAccepts: readonly PricedAsset[]
  /** Without what may be a key. */
  readonly facilitatorUrl: string
  /** Pages carry a "simulated money" mark when this is `sandbox`. */
  readonly mode: 'sandbox' | 'live'
}

/** What of the configuration is public. */
export const toShop = ({ baseUrl, gameUrl, wsUrl, asset, payTo, alsoAccepts, facilitator, mode }: Config): Shop => ({
  baseUrl,
  gameUrl,
  wsUrl,
  network,
  asset,
  payTo,
  alsoAccepts,
  facilitatorUrl: toPublicUrl(facilitator.url),
  mode,
})
