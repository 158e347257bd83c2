import type { Config } from '../config/config.ts'
import { type FacilitatorChoices, ownFacilitator } from '../config/facilitators.ts'
import type { OtherNetwork } from '../config/other-networks.ts'
import { log } from '../core/log.ts'
import { base } from '../core/networks.ts'
import type { Money } from '../sandbox/start-sandbox.ts'

/**
 * Starts our own facilitators. In live mode, `FACILITATOR_URL=self` settles with the operator's own gas key: then a
 * facilitator listens on FACILITATOR_PORT of this machine, which the game host uses, too. Each other network has one of
 * its own. Nothing is started where others settle.
 *
 * @throws Error with one sentence when its port is taken
 */
export async function startOwnFacilitator(config: Config): Promise<Money> {
  const { asset } = config
  const alsoAssets = config.alsoAccepts.map(({ address }) => address)
  const stops = [await start({ ...config, network: base, asset, alsoAssets }, config)]
  for (const other of config.alsoNetworks)
    stops.push(await start({ ...other, asset: other.usdc.address, alsoAssets: [] }, config))
  return {
    async stop() {
      for (const stop of stops) await stop()
    },
  }
}

type Place = FacilitatorChoices &
  Pick<OtherNetwork, 'network' | 'rpcUrl' | 'facilitatorPort' | 'facilitatorKey'> & {
    readonly asset: string
    readonly alsoAssets: readonly string[]
  }

/** Starts the facilitator of one network if the operator settles on it; resolves to a function that stops it. */
async function start(
  place: Place,
  { gasLimits: limits, payTo, walletFactories }: Config,
): Promise<() => Promise<void>> {
  const privateKey = place.facilitatorKey()
  if (ownFacilitator(place)?.is !== 'self' || !privateKey) return async () => {}
  // Loaded on demand, so that a program without its own facilitator does not hold it in memory.
  const [{ makeFacilitator }, { serveFacilitator }] = await Promise.all([
    import('../sandbox/facilitator.ts'),
    import('../sandbox/serve-facilitator.ts'),
  ])
  const { network, rpcUrl, asset, alsoAssets } = place
  const settled = { network, rpcUrl, asset, alsoAssets, payTo }
  const facilitator = makeFacilitator({ ...settled, privateKey, limits, walletFactories, log })
  const served = await serveFacilitator(facilitator, { port: place.facilitatorPort, network: network.id })
  // Checks the gas wallet now, so that an empty one is logged before the first buyer comes.
  void facilitator.health()
  return served.close
}
