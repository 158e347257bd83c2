import type { Config } from '../config/config.ts'
import { type FacilitatorChoices, ownFacilitator } from '../config/facilitators.ts'
import type { OtherNetwork } from '../config/other-networks.ts'
import { log } from '../core/log.ts'
import { base } from '../core/networks.ts'
import type { Money } from '../sandbox/start-sandbox.ts'

/**
 * Live, money is elsewhere, except that `FACILITATOR_URL=self` settles with the operator's own gas key: then a
 * facilitator listens on FACILITATOR_PORT of this machine, for the game host, too. Each other network has one of its own.
 *
 * @throws Error of one sentence when its port is taken
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

/** One for a network where the operator settles; resolves to what ends it. */
async function start(
  place: Place,
  { gasLimits: limits, payTo, walletFactories }: Config,
): Promise<() => Promise<void>> {
  const privateKey = place.facilitatorKey()
  if (ownFacilitator(place)?.is !== 'self' || !privateKey) return async () => {}
  // A program that settles elsewhere need not hold it in memory.
  const [{ makeFacilitator }, { serveFacilitator }] = await Promise.all([
    import('../sandbox/facilitator.ts'),
    import('../sandbox/serve-facilitator.ts'),
  ])
  const { network, rpcUrl, asset, alsoAssets } = place
  const settled = { network, rpcUrl, asset, alsoAssets, payTo }
  const facilitator = makeFacilitator({ ...settled, privateKey, limits, walletFactories, log })
  const served = await serveFacilitator(facilitator, { port: place.facilitatorPort, network: network.id })
  // An empty gas wallet is told to the log now, not when the first buyer comes.
  void facilitator.health()
  return served.close
}
