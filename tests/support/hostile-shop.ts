import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isHex } from 'viem'
import { z } from 'zod'
import { network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import type { Authorized } from './chain-actions.ts'
import { encodeHeader } from './signed-payments.ts'

const hex = z.custom<`0x${string}`>((value) => isHex(value))
const paymentSchema = z.object({
  accepted: z.looseObject({}),
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

/** The response of a malicious shop to one request. */
export interface Trick {
  /** The HTTP status; 402 by default. */
  status?: number
  /** Changes to the terms of a 402. */
  terms?: Record<string, unknown>
  /** The reason in the 402. */
  reason?: string
  headers?: Record<string, string>
  body?: string | object
}

/** One request as the shop received it. */
export interface Visit {
  path: string
  /** The number of payments before it. */
  before: number
  payment: (z.output<typeof paymentSchema> & Authorized['payload']) | undefined
}

/** A shop that keeps every signature and answers whatever the test says; by default it never delivers. */
export async function openHostileShop(answer: (visit: Visit) => Trick) {
  const taken: Authorized[] = []
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const url = `http://127.0.0.1:${port}`
  const shop = {
    url,
    answer,
    /** Every signed payment that arrived. */
    taken,
    /** Called with each payment before it is answered. */
    onPayment: async (_payment: Authorized): Promise<void> => {},
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const header = request.headers['payment-signature']
    const payment =
      typeof header === 'string' ? paymentSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString())) : undefined
    const path = request.url ?? ''
    const trick = shop.answer({ path, before: taken.length, payment })
    if (payment) {
      taken.push({ payload: payment })
      await shop.onPayment({ payload: payment })
    }
    const { status = 402, terms = {}, reason, headers = {}, body } = trick
    const required = {
      x402Version: 2,
      error: reason ?? 'payment_required',
      resource: { url: `${url}${path}` },
      accepts: [{ ...plainTerms, ...terms }],
    }
    const content = typeof body === 'string' ? body : JSON.stringify(body ?? { ...required, charged: false })
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(status === 402 && { 'payment-required': encodeHeader(required) }),
      ...headers,
    })
    response.end(content)
  }

  return shop
}

export type HostileShop = Awaited<ReturnType<typeof openHostileShop>>

/** Terms of ten cents to the shop's first address. */
export const plainTerms = {
  scheme: 'exact',
  network,
  amount: '100000',
  asset: usdcAddress,
  payTo: '0x2222222222222222222222222222222222221402',
  maxTimeoutSeconds: 60,
  extra: usdcDomain,
}
