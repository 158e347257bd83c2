import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  type PaymentPayload,
  type PaymentRequired,
  wrapFetchWithPayment,
  x402Client,
  x402HTTPClient,
} from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { chainId, network } from '../../src/core/chain-constants.ts'
import { transferAuthorizationTypes } from './transfer-authorization.ts'

type Fetch = typeof globalThis.fetch

/** A signed payment that has not been sent, with its terms. `header` is the PAYMENT-SIGNATURE value. */
export interface Signed {
  paymentRequired: PaymentRequired
  payload: PaymentPayload
  header: string
}

/** The unmodified x402 client. It pays up to $1 at once unless told otherwise. */
export function makeClient(privateKey: Hex, { maxAmountPerPayment = '$1' } = {}): x402Client {
  return new x402Client()
    .register(network, new ExactEvmScheme(privateKeyToAccount(privateKey)))
    .setSpendControls({ maxAmountPerPayment })
}

/** The unmodified paying fetch: asks, signs, asks again. It never sends the same signature twice. */
export const payingFetch = (
  privateKey: Hex,
  fetchImpl: Fetch = fetch,
  controls: { maxAmountPerPayment?: string } = {},
): Fetch => wrapFetchWithPayment(fetchImpl, makeClient(privateKey, controls))

/** Asks for a price and signs it as the stock client would, without sending the payment, for replays and races. */
export async function sign(
  url: string,
  init: RequestInit | undefined,
  {
    privateKey,
    fetch = globalThis.fetch,
    ...controls
  }: { privateKey: Hex; fetch?: Fetch; maxAmountPerPayment?: string },
): Promise<Signed> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  if (response.status !== 402) throw new Error(`${url} answered ${response.status} instead of 402`)
  const client = makeClient(privateKey, controls)
  const paymentRequired = new x402HTTPClient(client).getPaymentRequiredResponse((name) => response.headers.get(name))
  const payload = await client.createPaymentPayload(paymentRequired)
  return { paymentRequired, payload, header: encodeHeader(payload) }
}

/** An x402 header value: base64 of JSON. */
export const encodeHeader = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** The content of an x402 header; undefined if it is absent. */
export const decodeHeader = (header: string | null): unknown =>
  header === null ? undefined : JSON.parse(Buffer.from(header, 'base64').toString('utf8'))

const text = z.string()
const hex = z.templateLiteral(['0x', z.string()])

const ExactPayload = z.object({
  signature: hex,
  authorization: z.object({ from: hex, to: hex, value: text, validAfter: text, validBefore: text, nonce: hex }),
})

const Domain = z.object({ name: text, version: text })

/** The fields of an EIP-3009 authorization in their JSON form. */
export type Authorization = z.infer<typeof ExactPayload>['authorization']

/** The authorization in a payload, for comparison with the chain. */
export const readAuthorization = (payload: PaymentPayload): Authorization =>
  ExactPayload.parse(payload.payload).authorization

/**
 * The same payment with other authorization fields, signed again: what a cheating buyer sends, because a payload that
 * is only edited fails at the signature.
 */
export async function resignWith(
  payload: PaymentPayload,
  changes: Partial<Authorization>,
  privateKey: Hex,
): Promise<{ payload: PaymentPayload; header: string }> {
  const authorization = { ...readAuthorization(payload), ...changes }
  const { name, version } = Domain.parse(payload.accepted.extra)
  const signature = await privateKeyToAccount(privateKey).signTypedData({
    domain: { name, version, chainId, verifyingContract: hex.parse(payload.accepted.asset) },
    types: transferAuthorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })
  const resigned = { ...payload, payload: { ...payload.payload, signature, authorization } }
  return { payload: resigned, header: encodeHeader(resigned) }
}
