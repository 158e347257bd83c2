import { PaymentPayloadV2Schema } from '@x402/core/schemas'
import { isAddress } from 'viem'
import { z } from 'zod'
import { isShallow } from '../../core/is-shallow.ts'
import { keepRecent } from '../../core/keep-recent.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Payment } from './payment.ts'

/** The longest `PAYMENT-SIGNATURE` header that is read, in bytes; a smart wallet's signature needs about 4 KiB. */
const maxHeaderBytes = 12 * 1024

const hex = (digits: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
const uint256 = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, { abort: true })
  .refine((digits) => BigInt(digits) < 2n ** 256n)

/** An address. Libraries throw at one in mixed case without a valid EIP-55 checksum, so that is put in lower case. */
const address = hex(40).transform((text) => (isAddress(text) ? text : text.toLowerCase()))

/** The signature of a contract wallet may have any length (ERC-1271), up to what fits in the header. */
const anySignature = z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/)

/** EIP-3009 only: a Permit2 payload would pay without the nonce that is part of our ledger's key. */
const exactPayload = z.strictObject({
  signature: anySignature,
  authorization: z.strictObject({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: hex(64),
  }),
})
/** The id of a network (CAIP-2). Limited to printable ASCII, because PostgreSQL does not accept every character. */
const networkName = z.string().regex(/^[\x21-\x7e]{1,80}$/)
const acceptedTerms = z.looseObject({
  scheme: z.string(),
  network: networkName,
  asset: address,
  amount: uint256,
  payTo: address,
})
const token = z.object({ info: z.object({ token: z.string().min(1).max(64) }) })
const identifier = z.object({ info: z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/) }) })

/**
 * Reads a `PAYMENT-SIGNATURE` header (x402 v2, HTTP transport).
 *
 * @returns undefined when it is not base64 of a v2 payload with an EIP-3009 authorization; two headers joined by a
 *   comma, base64url and version 1 are among the unreadable
 */
export const readPayment = (header: string): Payment | undefined =>
  header.length > maxHeaderBytes ? undefined : readKept(header)

/**
 * Caches the last parsed headers, some dozens: a buyer who lost a response sends the identical header again, and
 * parsing takes a tenth of the time of a repeated delivery. Each payment counts with twice the size of the longest
 * header.
 */
const readKept = keepRecent((header) => toPayment(decode(header)), {
  atMost: 2 * 1024 * 1024,
  sizeOf: () => 2 * maxHeaderBytes,
})

/** Whether a header holds a payment of x402 version 1. */
export const saysVersionOne = (header: string): boolean =>
  z.looseObject({ x402Version: z.literal(1) }).safeParse(decode(header)).success

function decode(header: string): unknown {
  if (header.length > maxHeaderBytes || !/^[A-Za-z0-9+/]+={0,2}$/.test(header)) return undefined
  return readJson(Buffer.from(header, 'base64').toString('utf8'))
}

/**
 * Reads the payment of a tool call (x402 v2, MCP transport): the same payload as JSON. It must fit in a header, so that
 * a purchase over one transport can be fetched over the other. The base64 text of a header is read as well, because
 * Cloudflare's `agents` sends that.
 *
 * @returns undefined when it is not a v2 payload with an EIP-3009 authorization
 */
export function readToolPayment(value: unknown): Payment | undefined {
  if (typeof value === 'string') return readPayment(value)
  if (!isShallow(value, 16)) return undefined
  const { length } = Buffer.from(JSON.stringify(value) ?? '')
  return length * 4 <= maxHeaderBytes * 3 ? toPayment(value) : undefined
}

/**
 * Reads a payment that was stored in the ledger. Its size is not limited: it was checked when the payment arrived, and
 * for tools a description of the product was added for the facilitator.
 *
 * @returns undefined when it is not a stored payment
 */
export const readKeptPayment = (json: string): Payment | undefined => toPayment(readJson(json))

function toPayment(json: unknown): Payment | undefined {
  const envelope = PaymentPayloadV2Schema.safeParse(json)
  if (!envelope.success) return undefined
  const exact = exactPayload.safeParse(envelope.data.payload)
  const accepted = acceptedTerms.safeParse(envelope.data.accepted)
  if (!exact.success || !accepted.success) return undefined

  const signed = exact.data.authorization
  const authorization = {
    from: signed.from.toLowerCase(),
    to: signed.to.toLowerCase(),
    value: signed.value,
    validAfter: signed.validAfter,
    validBefore: signed.validBefore,
    nonce: signed.nonce.toLowerCase(),
  }
  const { extensions, ...payload } = envelope.data
  const echoed = token.safeParse(extensions?.redelivery)
  const named = identifier.safeParse(extensions?.['payment-identifier'])
  return {
    key: [accepted.data.network, accepted.data.asset, authorization.from, authorization.nonce].join('|').toLowerCase(),
    payer: authorization.from,
    authorization,
    signature: exact.data.signature,
    accepted: accepted.data,
    tokenHash: echoed.success ? sha256('token', echoed.data.info.token) : null,
    identifierHash: named.success ? sha256('identifier', authorization.from, named.data.info.id) : null,
    // The facilitator needs `bazaar` to list the product; the token and the buyer's identifier are not for it to see.
    payload: {
      ...payload,
      accepted: accepted.data,
      payload: exact.data,
      ...(extensions?.bazaar ? { extensions: { bazaar: extensions.bazaar } } : {}),
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
