import type { Finding } from '../core/finding.ts'
import type { Network } from '../core/networks.ts'
import type { Check } from './check.ts'

/** Matches where the sentences of checks name Base, to put in the name of the other network. */
const place = /\b(on|of) Base\b(?! Sepolia)/g
const settings = /\b(?:FACILITATOR_(?:URL|PRIVATE_KEY)|RPC_URL)\b/g

/**
 * Adapts a check to another network than Base: its findings name that network and its settings, and a failure becomes a
 * warning, because the shop goes on selling on Base.
 */
export const onOtherNetwork = (check: Check, { name, slug }: Network): Check => {
  const prefix = `${slug.toUpperCase().replaceAll('-', '_')}_`
  const toFinding = ({ is, sentence, advice }: Finding): Finding => ({
    is: is === 'failure' ? 'warning' : is,
    sentence: `On ${name}: ${sentence}`,
    ...(advice !== undefined && {
      advice: advice.replace(settings, (setting) => prefix + setting).replace(place, `$1 ${name}`),
    }),
  })
  return {
    ...check,
    name: `${check.name}-${slug}`,
    async run() {
      const found = await check.run()
      return found && toFinding(found)
    },
  }
}
