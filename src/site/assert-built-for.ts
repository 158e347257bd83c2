import type { Config } from '../config/config.ts'
import { alsoTaken } from '../config/other-networks.ts'
import { writeAcceptedAssets } from '../core/assets.ts'
import { network } from '../core/chain-constants.ts'
import type { BuildFacts } from '../storage/build-folder.ts'

/** The facts of a build that must be as in the configuration. */
type Made = Pick<BuildFacts, 'baseUrl' | 'payTo' | 'asset' | 'alsoAccepts' | 'mode' | 'network'>

/**
 * Checks that a build was made for this configuration. Pages and catalog contain wallet and addresses: with others they
 * would quote one price or wallet and charge another.
 *
 * @throws Error with one sentence that names what differs
 */
export function assertBuiltFor(config: Config, facts: Made): void {
  const { baseUrl, payTo, asset, mode } = config
  const alsoAccepts = writeAcceptedAssets(alsoTaken(config))
  const running = { baseUrl, payTo, asset, alsoAccepts, mode, network }
  const wrong = Object.entries(running).filter(([name, value]) => value !== new Map(Object.entries(facts)).get(name))
  if (wrong.length > 0)
    throw new Error(
      `the built site was made for another ${wrong.map(([name]) => name).join(', ')}; run npm start, which builds it anew`,
    )
}
