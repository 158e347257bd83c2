import type { PricedAsset } from '../core/assets.ts'
import { network } from '../core/chain-constants.ts'
import { toPublicUrl } from '../core/redact-url.ts'
import type { Config } from './config.ts'
import { alsoTaken } from './other-networks.ts'

/** The public facts of this installation that every published document repeats. */
export interface Shop {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The address of the game host, without a trailing slash. */
  readonly gameUrl: string
  /** The address of the game's WebSocket. */
  readonly wsUrl: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** Tokens that are accepted in addition to `asset`, on the same network or on others. */
  readonly alsoAccepts: readonly PricedAsset[]
  /** The URL of the facilitator; where a part of it may be a key, only its origin. */
  readonly facilitatorUrl: string
  /** Pages carry a "simulated money" mark when this is `sandbox`. */
  readonly mode: 'sandbox' | 'live'
}

/** The public part of the configuration. */
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
