import type { Config } from '../config/config.ts'
import { alsoTaken } from '../config/other-networks.ts'
import { makeChainOracle } from '../payments/chain/chain-oracle.ts'
import type { Rail } from '../payments/rails.ts'
import type { Wallet } from '../payments/wire/requirements.ts'
import { type FacilitatorUse, openFacilitator } from './open-facilitator.ts'

/** Opens facilitator and chain oracle of each network other than Base. */
export const openOtherRails = (
  { alsoNetworks }: Config,
  shared: Pick<FacilitatorUse, 'asked' | 'siblings'> = {},
): Rail[] =>
  alsoNetworks.map((other) => ({
    network: other.network.id,
    facilitator: openFacilitator(other, { ...shared, network: other.network }),
    oracle: makeChainOracle(other.rpcUrl),
  }))

/** The wallet that the site is paid to, and the tokens that it accepts. */
export const toWallet = (config: Config): Wallet => ({
  payTo: config.payTo,
  asset: config.asset,
  also: alsoTaken(config),
})
