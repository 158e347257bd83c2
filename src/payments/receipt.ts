/** Proof of one settled sale, published at `/api/receipts/{id}.json`. */
export interface Receipt {
  /** `r_` and 128 random bits: unguessable, so that only the buyer can share it. */
  id: string
  /** The concrete path that was bought. */
  path: string
  product: string
  /** Integer micro-USD as a decimal string. */
  amountMicroUsd: string
  asset: string
  network: string
  payTo: string
  payer: string
  /** Hash of the settling transaction. */
  transaction: string
  /** RFC 3339, UTC. */
  settledAt: string
  /** RFC 3339, UTC: when the chain turned out to have lost the transfer. Absent while it stands. */
  reversedAt?: string | undefined
}
