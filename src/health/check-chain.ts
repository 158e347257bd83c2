import { base, type Network } from '../core/networks.ts'
import { ask, openLookingClient } from './ask-chain.ts'
import type { Check } from './check.ts'
import { toFullName } from './looked-at-facilitator.ts'

/** Checks that the RPC responds, and serves the chain that payments are made on. */
export function makeChainCheck(rpcUrl: string, network: Network = base): Check {
  const client = openLookingClient(rpcUrl)
  const { chainId } = network
  return {
    name: 'chain',
    everyMs: 30_000,
    async run() {
      const asked = await ask(() => client.getChainId())
      if (asked.is === 'silent')
        return {
          is: 'failure',
          sentence: `The chain's RPC does not answer, so no payment can be seen: it ${asked.why}.`,
          advice: 'Check RPC_URL with its path and key, or use another provider.',
        }
      if (asked.is === 'failed')
        return {
          is: 'failure',
          sentence: "The chain's RPC does not say which chain it serves.",
          advice: `RPC_URL must be the JSON-RPC address of a node of ${network.name}.`,
        }
      if (asked.value !== chainId)
        return {
          is: 'failure',
          sentence: `The RPC serves chain ${asked.value}, and payments are on chain ${chainId}.`,
          advice: `Set RPC_URL to a node of ${toFullName(network)}.`,
        }
      return { is: 'ok', sentence: `The chain's RPC answers, and serves chain ${chainId}.` }
    },
  }
}
