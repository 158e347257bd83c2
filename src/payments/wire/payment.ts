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

/** A readable `PAYMENT-SIGNATURE` header. Nothing in it is verified yet. */
export interface Payment {
  /** `network|asset|payer|nonce`, lower case: one authorization has many encodings but only one key. */
  key: string
  payer: string
  authorization: Authorization
  /** 0x and hexadecimal; never logged. */
  signature: string
  /** Terms the buyer says it accepted. */
  accepted: { scheme: string; network: string; asset: string; amount: string; payTo: string }
  /** Hash of the random token of our 402 that the buyer echoed; proof of redelivery that is not on chain. */
  tokenHash: string | null
  /** Hash of payer and `payment-identifier`. */
  identifierHash: string | null
  /** What the facilitator gets to see: the payload without our own extensions. */
  payload: Record<string, unknown>
}

/** One of the terms of a 402, as x402 v2 writes it. */
export interface Requirements {
  scheme: 'exact'
  network: Network['id']
  asset: string
  amount: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}
