import type { Config } from '../config/config.ts'
import { ownFacilitator } from '../config/facilitators.ts'
import { log } from '../core/log.ts'
import type { Money } from '../sandbox/start-sandbox.ts'

/**
 * Live, money is elsewhere, except that `FACILITATOR_URL=self` settles with the operator's own gas key: then a
 * facilitator listens on FACILITATOR_PORT of this machine, for the game host, too.
 *
 * @throws Error of one sentence when its port is taken
 */
export async function startOwnFacilitator(config: Config): Promise<Money> {
  const privateKey = config.facilitatorKey()
  if (ownFacilitator(config)?.is !== 'self' || !privateKey) return { stop: async () => {} }
  // A program that settles elsewhere need not hold it in memory.
  const [{ makeFacilitator }, { serveFacilitator }] = await Promise.all([
    import('../sandbox/facilitator.ts'),
    import('../sandbox/serve-facilitator.ts'),
  ])
  const { rpcUrl, gasLimits: limits, asset, payTo, walletFactories, alsoAccepts } = config
  const alsoAssets = alsoAccepts.map(({ address }) => address)
  const facilitator = makeFacilitator({ rpcUrl, privateKey, limits, asset, payTo, walletFactories, alsoAssets, log })
  const served = await serveFacilitator(facilitator, { port: config.facilitatorPort })
  // An empty gas wallet is told to the log now, not when the first buyer comes.
  void facilitator.health()
  return { stop: served.close }
}
