import type { ChainOracle } from './chain/chain-oracle.ts'
import type { Facilitator } from './facilitator/facilitator-client.ts'

/**
 * What payments on one network need: the facilitator that settles them, and the chain oracle that has the last word.
 */
export interface Rail {
  /** CAIP-2 id. */
  readonly network: string
  readonly facilitator: Facilitator
  readonly oracle: ChainOracle
}

/** The networks that payments are accepted on. Prices are quoted on the first. */
export interface Rails {
  readonly all: readonly Rail[]
  /** Undefined for a network that is not accepted, or not any more: its open payments cannot be looked up. */
  find(network: string): Rail | undefined
  /** @throws Error for a network that is not accepted */
  get(network: string): Rail
}

/** Looks up rails by network. There is no default: the chain of another network knows nothing of a payment. */
export function makeRails(all: readonly Rail[]): Rails {
  const byNetwork = new Map(all.map((rail) => [rail.network, rail]))
  return {
    all,
    find: (network) => byNetwork.get(network),
    get(network) {
      const rail = byNetwork.get(network)
      if (!rail) throw new Error(`nothing is taken on ${network}`)
      return rail
    },
  }
}
