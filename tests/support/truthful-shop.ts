import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { verifyTypedData } from 'viem'
import { z } from 'zod'
import { chainId, network, usdcAddress } from '../../src/core/chain-constants.ts'
import { transferAuthorizationTypes } from './transfer-authorization.ts'

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]+$/)])
const paymentSchema = z.object({
  x402Version: z.literal(2),
  accepted: z.object({ amount: z.string(), asset: z.string(), payTo: z.string() }),
  extensions: z.object({ redelivery: z.object({ info: z.object({ token: z.string() }) }) }),
  payload: z.object({
    signature: hex,
    authorization: z.object({
      from: hex,
      to: hex,
      value: z.string(),
      validAfter: z.string(),
      validBefore: z.string(),
      nonce: hex,
    }),
  }),
})

/** A fault that one paid request meets. */
export type Fault =
  | { is: 'lost request' }
  /** Settles, then the connection breaks before the first byte of the response. */
  | { is: 'lost reply' }
  /** Settles, then the connection breaks in the middle of the body. */
  | { is: 'cut reply' }
  /** Settles and never responds. */
  | { is: 'silence' }
  /** Sends this response and settles nothing. */
  | { is: 'answer'; status: number; headers?: Record<string, string>; body?: object }
  /** Sends a 402 with this reason. */
  | { is: 'refusal'; reason: string }
  /** Changes the price while the payment is on its way. */
  | { is: 'new price'; amount: string }
  /** Serves the request after calling `happens`. */
  | { is: 'event'; happens: () => void }

/** A small shop that speaks x402 v2, verifies real signatures, remembers nonces, and can be told to fail. */
export interface TruthfulShop {
  url: string
  terms: { scheme: string; network: string; amount: string; asset: string; payTo: string; maxTimeoutSeconds: number }
  /** Reasons why the body would be refused, listed in the 402. */
  errors: { pointer: string; detail: string }[]
  /** Extensions in the 402 beside the token. */
  extensions: Record<string, object>
  /** The faults of the next paid requests, in order; all later ones succeed. */
  faults: Fault[]
  product: { bytes: Uint8Array; type: string; headers: Record<string, string> }
  /** Free files by path. */
  files: Map<string, string>
  /** How far its clock and the chain's are ahead of this machine's, in milliseconds. */
  passedMs: number
  /** The number of settlements. */
  readonly settlements: number
  /** Every `PAYMENT-SIGNATURE` that arrived. */
  readonly signatures: string[]
  /** Called when a paid request arrives. */
  onPayment: () => void
  close(): Promise<void>
}

/** A wallet that every local Ethereum node provides. */
export const testWallet = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
} as const

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const extra = { name: 'USD Coin', version: '2' }

/** Opens the shop on a free port of this machine. */
export async function openTruthfulShop(): Promise<TruthfulShop> {
  const settled = new Map<string, { request: string; transaction: string }>()
  const tokens = new Set<string>()
  const signatures: string[] = []
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the shop listens on no port')

  const shop: TruthfulShop = {
    url: `http://127.0.0.1:${address.port}`,
    terms: {
      scheme: 'exact',
      network,
      amount: '100000',
      asset: usdcAddress,
      payTo: '0x2222222222222222222222222222222222221402',
      maxTimeoutSeconds: 220,
    },
    errors: [],
    extensions: {},
    faults: [],
    product: { bytes: Buffer.from('# A product\n'), type: 'text/markdown; charset=utf-8', headers: {} },
    files: new Map(),
    passedMs: 0,
    get settlements() {
      return settled.size
    },
    signatures,
    onPayment: () => {},
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  function challenge(response: ServerResponse, error: string) {
    const token = randomBytes(12).toString('base64url')
    tokens.add(token)
    const required = {
      x402Version: 2,
      error,
      resource: { url: `${shop.url}/thing`, description: 'A thing' },
      accepts: [{ ...shop.terms, extra }],
      extensions: { ...shop.extensions, redelivery: { info: { token } } },
    }
    response.setHeader('date', new Date(Date.now() + shop.passedMs).toUTCString())
    response.writeHead(402, { 'content-type': 'application/json', 'payment-required': encode(required) })
    const { errors } = shop
    response.end(JSON.stringify({ ...required, charged: false, ...(errors.length > 0 && { errors }) }))
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const identity = `${request.method} ${request.url} ${Buffer.concat(chunks).toString('hex')}`
    const file = shop.files.get(request.url ?? '')
    if (file !== undefined) return response.end(file)
    const header = request.headers['payment-signature']
    if (typeof header !== 'string') return challenge(response, 'PAYMENT-SIGNATURE header is required')
    signatures.push(header)
    shop.onPayment()

    const fault = shop.faults.shift()
    if (fault?.is === 'lost request') return response.destroy()
    if (fault?.is === 'refusal') return challenge(response, fault.reason)
    if (fault?.is === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/problem+json', ...fault.headers })
      return response.end(JSON.stringify(fault.body ?? {}))
    }
    if (fault?.is === 'new price') shop.terms.amount = fault.amount
    const verdict = await settle(header, identity)
    if (verdict.is === 'refused') return challenge(response, verdict.reason)
    if (fault?.is === 'lost reply') return response.destroy()
    if (fault?.is === 'silence') return
    if (fault?.is === 'event') fault.happens()
    const { bytes, type, headers } = shop.product
    response.writeHead(200, {
      'content-type': type,
      'content-length': bytes.length,
      'payment-response': encode({ success: true, transaction: verdict.transaction, network, payer: verdict.payer }),
      'x-receipt-id': `r_${verdict.transaction.slice(2, 24)}`,
      ...headers,
    })
    if (fault?.is !== 'cut reply') return response.end(bytes)
    response.write(bytes.subarray(0, 3), () => response.destroy())
  }

  /** Checks in the same order as a real shop: a known nonce first, then the terms, then the signature. */
  async function settle(header: string, request: string) {
    const read = paymentSchema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString()))
    if (!read.success) return { is: 'refused', reason: 'invalid_payload' } as const
    const { accepted, extensions, payload } = read.data
    const { authorization, signature } = payload
    const known = settled.get(authorization.nonce)
    if (known && known.request !== request) return { is: 'refused', reason: 'payment_already_used' } as const
    const done = { is: 'settled', payer: authorization.from } as const
    if (known) return { ...done, transaction: known.transaction }
    const { amount, asset, payTo } = shop.terms
    if (!tokens.has(extensions.redelivery.info.token)) return { is: 'refused', reason: 'extension_echo' } as const
    if (accepted.amount !== amount || authorization.value !== amount || accepted.asset !== asset)
      return { is: 'refused', reason: 'value_mismatch' } as const
    if (authorization.to.toLowerCase() !== payTo.toLowerCase())
      return { is: 'refused', reason: 'recipient_mismatch' } as const
    if (Number(authorization.validBefore) < (Date.now() + shop.passedMs) / 1000 + 6)
      return { is: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' } as const
    const isGenuine = await verifyTypedData({
      address: authorization.from,
      domain: { ...extra, chainId, verifyingContract: usdcAddress },
      types: transferAuthorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...authorization,
        value: BigInt(authorization.value),
        validAfter: BigInt(authorization.validAfter),
        validBefore: BigInt(authorization.validBefore),
      },
      signature,
    })
    if (!isGenuine) return { is: 'refused', reason: 'invalid_exact_evm_signature' } as const
    // Checked again, because another copy of the same payment may have settled during the verification.
    const transaction = settled.get(authorization.nonce)?.transaction ?? `0x${randomBytes(32).toString('hex')}`
    settled.set(authorization.nonce, { request, transaction })
    return { ...done, transaction }
  }

  return shop
}
