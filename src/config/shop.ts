import type { PricedAsset } from '../core/assets.ts'
import { network } from '../core/chain-constants.ts'
import { toPublicUrl } from '../core/redact-url.ts'
import type { Config } from './config.ts'
import { alsoTaken } from './other-networks.ts'

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
  /** What is taken beside it, there or on other networks. */
  readonly alsoAccepts: readonly PricedAsset[]
  /** Without what may be a key. */
  readonly facilitatorUrl: string
  /** Pages carry a "simulated money" mark when this is `sandbox`. */
  readonly mode: 'sandbox' | 'live'
}

/** What of the configuration is public. */
export const toShop = ({ baseUrl, gameUrl, wsUrl, asset, payTo, facilitator, mode, ...config }: Config): Shop => ({
  baseUrl,
  gameUrl,
  wsUrl,
  network,
  asset,
  payTo,
  alsoAccepts: alsoTaken(config),
  facilitatorUrl: toPublicUrl(facilitator.url),
  mode,
})
