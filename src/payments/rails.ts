import type { ChainOracle } from './chain/chain-oracle.ts'
import type { Facilitator } from './facilitator/facilitator-client.ts'

/** What the payments of one network go through: whoever settles them, and the witness that is believed. */
export interface Rail {
  /** CAIP-2. */
  readonly network: string
  readonly facilitator: Facilitator
  readonly oracle: ChainOracle
}

/** The networks that are taken, the first of which prices are quoted on. */
export interface Rails {
  readonly all: readonly Rail[]
  /** Undefined for a network that is not taken, or not any more: of what is open there nobody can tell. */
  find(network: string): Rail | undefined
  /** @throws Error for a network that no terms were told for */
  get(network: string): Rail
}

/** Whoever asks about a payment has to name its network: the chain of another one knows nothing of it. */
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
