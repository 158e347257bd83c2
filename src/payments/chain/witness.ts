/** What must have happened on chain for a purchase to be paid. */
export interface Expected {
  asset: string
  payer: string
  payTo: string
  amount: bigint
  nonce: string
  /** Unix seconds. */
  validBefore: bigint
  /** Number of the block where the search starts; null when the chain did not answer at the time of the claim. */
  fromBlock: number | null
  /** Unix seconds of the claim: no transaction of ours is older. */
  sinceSeconds: number
  /** The transaction a facilitator named, looked at first. */
  transaction?: string
  /** How old the block of an `unused` may be, in milliseconds; it is read anew when absent. */
  maxAgeMs?: number
}

/** The transfer that paid for an authorization. */
export interface Paid {
  transaction: string
  /** Index of the `Transfer` log in its block. Together with the transaction it identifies one transfer. */
  logIndex: number
  block: number
}

/**
 * What the chain shows of one authorization. `void`: the nonce is used but we were not paid (cancelled, or used by
 * another transfer). `expired`: it can never be mined any more. `unseen`: the RPC does not answer, or shows that the
 * nonce is used (`isUsed`) but not yet by which transaction. `asOf` is the number of the block at which it was read.
 */
export type Witness =
  | ({ is: 'paid' } & Paid)
  | { is: 'void'; asOf: number }
  | { is: 'expired'; asOf: number }
  | { is: 'unused'; asOf: number }
  | { is: 'unseen'; cause: unknown; isUsed?: true }
