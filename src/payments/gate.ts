import { randomUUID } from 'node:crypto'
import { advertisedPrice, type Offer } from '../../functions/offer.ts'
import { Problem, toProblemResponse } from '../problem.ts'
import { productHeaders } from '../product-headers.ts'
import { type ChallengeDeps, type ChallengeFacts, toChallenge, type Wording } from './challenge.ts'
import type { Complete, Delivered } from './deliver.ts'
import { toPaymentResponse, type Unsettled } from './payment-response.ts'
import { prefersHtml, toPaywall } from './paywall.ts'
import { readInput } from './read-input.ts'
import { readPayment } from './read-payment.ts'
import { type Make, makeSell, type SellDeps } from './sell.ts'

/** `caller` is the address that asks, as limits count it. */
export type Handler = (request: Request, caller?: string) => Promise<Response>

export type Gate = (offer: Offer, make: Make | undefined, complete?: Complete) => Handler

export interface GateDeps extends ChallengeDeps, SellDeps {}

export const httpWording: Wording = {
  pay: 'send the same request with PAYMENT-SIGNATURE',
  resend: 'Send the identical request with the identical PAYMENT-SIGNATURE again; do not sign a new payment',
  proof:
    'Send the same request with a fresh signature of the same wallet: it proves that you paid, fetches what you bought, and is not charged',
}

/** Cross-origin rules of every paid route: browsers may pay from anywhere. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, ${productHeaders}`,
} as const

const preflightHeaders = {
  ...corsHeaders,
  // The stock browser client sends the last one as a request header.
  'access-control-allow-headers': 'PAYMENT-SIGNATURE, Content-Type, Access-Control-Expose-Headers',
  'access-control-max-age': '86400',
}

/** Headers of every 402: never cached, different for browsers and for those who pay. */
export const challengeHeaders = {
  ...corsHeaders,
  'cache-control': 'no-store',
  vary: 'Accept, PAYMENT-SIGNATURE',
} as const

/**
 * Composes the payment gate into the handler of one product (never a middleware that matches paths, so that no
 * spelling of a path can go round it). `make` is undefined while a product is declared but not built; `complete`
 * finishes a product on its way out.
 *
 * Answers 402 to whoever does not pay, whatever else is wrong; refuses bad input uncharged; otherwise sells.
 */
export function makeGate(deps: GateDeps): Gate {
  const sell = makeSell(deps, deps.wording)

  return (offer, make, complete) => {
    const methods = offer.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

    const challenge = (request: Request, facts: ChallengeFacts, more = {}): Response => {
      const { header, body } = toChallenge(deps, facts).issue()
      const isPage = prefersHtml(request.headers.get('accept'))
      const headers = {
        ...challengeHeaders,
        'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
        'payment-required': header,
        ...more,
      }
      if (request.method === 'HEAD') return new Response(null, { status: 402, headers })
      return new Response(isPage ? toPaywall(offer, deps.baseUrl) : body, { status: 402, headers })
    }
    const refuse = (request: Request, problem: Problem, more: Readonly<Record<string, string>> = {}): Response => {
      // The front server names each request, so that the answer, its header and the log agree.
      const requestId = request.headers.get('x-request-id') ?? randomUUID()
      const response = toProblemResponse(problem, { baseUrl: deps.baseUrl, requestId })
      for (const [name, value] of Object.entries({ ...corsHeaders, ...more })) response.headers.set(name, value)
      return response
    }

    const answer = async (request: Request, caller: string | undefined): Promise<Response> => {
      if (request.method === 'OPTIONS')
        return new Response(null, {
          status: 204,
          headers: { ...preflightHeaders, 'access-control-allow-methods': methods, allow: methods },
        })
      if (request.method === 'HEAD' && offer.method === 'GET')
        return challenge(request, { offer, price: advertisedPrice(offer), reason: 'payment_required' })
      if (request.method !== offer.method)
        return refuse(
          request,
          new Problem('method-not-allowed', { charged: false, detail: `Use ${methods}`, headers: { allow: methods } }),
        )

      const header = request.headers.get('payment-signature')
      const input = await readInput(offer, request)
      const payment = header === null ? 'absent' : (readPayment(header) ?? 'unreadable')
      const hasInput = request.method !== 'POST' || hasBody(request)
      const sale = await sell({ offer, make, complete }, { input, payment, hasInput, gone: request.signal, caller })
      switch (sale.is) {
        case 'delivered':
          return toResponse(sale.delivered, offer)
        case 'challenge':
          return challenge(request, sale.facts, toSettlementHeaders(sale.unsettled))
        case 'problem':
          return refuse(request, sale.problem, toSettlementHeaders(sale.unsettled))
      }
    }

    return async (request, caller) => {
      try {
        return await answer(request, caller)
      } catch (error) {
        deps.report(error)
        // Whatever broke, an earlier copy of this request may have been paid.
        return refuse(request, new Problem('internal-error', { charged: 'unknown', retryAfterSeconds: 5 }))
      }
    }
  }
}

const toSettlementHeaders = (unsettled: Unsettled | undefined): Record<string, string> =>
  unsettled ? { 'payment-response': toPaymentResponse(unsettled) } : {}

const toResponse = ({ body, mimeType, headers, settled, receipt }: Delivered, { fileName }: Offer): Response =>
  new Response(new Uint8Array(body), {
    headers: {
      ...headers,
      ...corsHeaders,
      'content-type': mimeType,
      'content-length': String(body.byteLength),
      'content-disposition': `inline; filename="${fileName}"`,
      'cache-control': 'private, no-store',
      'payment-response': toPaymentResponse(settled),
      ...(receipt && { 'x-receipt-id': receipt.id }),
    },
  })

const hasBody = (request: Request): boolean => request.body !== null && request.headers.get('content-length') !== '0'
