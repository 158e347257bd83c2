import type { Network } from '../../core/networks.ts'

/** The signed fields of an EIP-3009 transfer. Hex is lower case; numbers are decimal strings. */
export interface Authorization {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
}

/** The parsed payment of a request. Nothing in it is verified yet. */
export interface Payment {
  /** `network|asset|payer|nonce`, lower case: one authorization has many encodings but only one key. */
  key: string
  payer: string
  authorization: Authorization
  /** 0x and hexadecimal; never logged. */
  signature: string
  /** The terms that the buyer claims to have accepted. */
  accepted: { scheme: string; network: string; asset: string; amount: string; payTo: string }
  /** Hash of the redelivery token of our 402 that the buyer echoed: a proof of the buyer that is not on the chain. */
  tokenHash: string | null
  /** Hash of payer and `payment-identifier`. */
  identifierHash: string | null
  /** What the facilitator is sent: the payload without our own extensions. */
  payload: Record<string, unknown>
}

/** One entry of `accepts` in a 402 (x402 v2). */
export interface Requirements {
  scheme: 'exact'
  network: Network['id']
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}
