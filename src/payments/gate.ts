import { randomUUID } from 'node:crypto'
import { advertisedPrice, type Offer, priceOf } from '../../functions/offer.ts'
import type { MicroUsd } from '../money.ts'
import { Problem, toProblemResponse } from '../problem.ts'
import { productHeaders } from '../product-headers.ts'
import { sha256 } from '../sha256.ts'
import { canonicalJson } from './canonical-json.ts'
import { type ChallengeDeps, type ChallengeFacts, toChallenge } from './challenge.ts'
import { type Complete, type DeliverDeps, deliver } from './deliver.ts'
import type { Outcome, PurchaseRequest } from './outcome.ts'
import type { Payment } from './payment.ts'
import { toPaymentResponse } from './payment-response.ts'
import { prefersHtml, toPaywall } from './paywall.ts'
import type { Product } from './product.ts'
import { type Input, readInput } from './read-input.ts'
import { maxHeaderBytes, readPayment } from './read-payment.ts'

/**
 * Makes a product from validated input before the deadline; a `Problem` it throws reaches the buyer, uncharged.
 * `paymentKey` names the purchase: a product may be bound to it.
 */
export type Make = (input: Record<string, unknown>, signal: AbortSignal, paymentKey: string) => Promise<Product>

export type Handler = (request: Request) => Promise<Response>

export type Gate = (offer: Offer, make: Make | undefined, complete?: Complete) => Handler

export interface GateDeps extends ChallengeDeps, DeliverDeps {
  /** Everything between valid input and an outcome, from `makePurchase`. */
  buy: (request: PurchaseRequest) => Promise<Outcome>
  report: (error: unknown) => void
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
  return (offer, make, complete) => {
    const methods = offer.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

    const challenge = (request: Request, facts: Omit<ChallengeFacts, 'offer' | 'path'>, more = {}): Response => {
      const { header, body } = toChallenge(deps, { offer, path: offer.path, ...facts }).issue()
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
    const priceOfInput = (input: Input) => (input.is === 'valid' ? priceOf(offer, input.value) : advertisedPrice(offer))

    const sell = async (request: Request): Promise<Response> => {
      if (request.method === 'OPTIONS')
        return new Response(null, {
          status: 204,
          headers: { ...preflightHeaders, 'access-control-allow-methods': methods, allow: methods },
        })
      if (request.method === 'HEAD' && offer.method === 'GET')
        return challenge(request, { price: advertisedPrice(offer), reason: 'payment_required' })
      if (request.method !== offer.method)
        return refuse(
          request,
          new Problem('method-not-allowed', { charged: false, detail: `Use ${methods}`, headers: { allow: methods } }),
        )

      const header = request.headers.get('payment-signature')
      const input = await readInput(offer, request)
      const price = priceOfInput(input)
      if (header === null) {
        const isEmpty = request.method === 'POST' && !hasBody(request)
        const errors = input.is === 'refused' && !isEmpty ? input.errors : undefined
        return challenge(request, { price, reason: 'payment_required', ...(errors && { errors }) })
      }
      const payment = header.length <= maxHeaderBytes ? readPayment(header) : undefined
      if (!payment) return challenge(request, { price, reason: 'invalid_payload' })
      if (input.is === 'refused') return refuse(request, toRefusal(input))

      const outcome = await deps.buy({
        offer,
        price,
        path: offer.path,
        fingerprint: sha256(offer.id, canonicalJson(input.value)),
        payment,
        make: make && ((signal) => make(input.value, signal, payment.key)),
        gone: request.signal,
      })
      return answer(request, outcome, payment, price)
    }

    return async (request) => {
      try {
        return await sell(request)
      } catch (error) {
        deps.report(error)
        // Whatever broke, an earlier copy of this request may have been paid.
        return refuse(request, new Problem('internal-error', { charged: 'unknown', retryAfterSeconds: 5 }))
      }
    }

    function answer(
      request: Request,
      outcome: Outcome,
      payment: Payment,
      price: MicroUsd,
    ): Promise<Response> | Response {
      const { payer } = payment
      switch (outcome.is) {
        case 'delivered':
          return deliver(deps, { row: outcome.row, payment, offer, complete }, corsHeaders).catch((error: unknown) => {
            deps.report(error)
            return refuse(request, new Problem('busy', { charged: true, retryAfterSeconds: 5, detail: storedDetail }))
          })
        case 'challenge': {
          const { reason, settling } = outcome
          const more = settling ? { 'payment-response': toPaymentResponse({ payer, errorReason: reason }) } : {}
          return challenge(request, { price, reason }, more)
        }
        case 'in-progress':
          return refuse(request, new Problem('payment-in-progress', { charged: 'unknown', retryAfterSeconds: 1 }))
        case 'pending':
          return refuse(
            request,
            new Problem('settlement-unknown', { charged: 'unknown', retryAfterSeconds: 3, detail: pendingDetail }),
            { 'payment-response': toPaymentResponse({ payer, errorReason: 'settlement_pending' }) },
          )
        case 'refused':
          return refuse(request, outcome.problem)
      }
    }
  }
}

const pendingDetail =
  'Whether the payment settled is not known yet. Send the identical request with the identical PAYMENT-SIGNATURE again; do not sign a new payment'

const storedDetail =
  'You have paid for this and it is stored for you, but it cannot be read just now. Send the identical request with the identical PAYMENT-SIGNATURE again; do not sign a new payment'

const hasBody = (request: Request): boolean => request.body !== null && request.headers.get('content-length') !== '0'

function toRefusal(input: Extract<Input, { is: 'refused' }>): Problem {
  const count = input.errors.length === 1 ? '1 thing is' : `${input.errors.length} things are`
  const detail = `${count} wrong with the request: ${input.errors[0]?.detail ?? ''}; nothing was charged and the same signature stays valid`
  return new Problem(input.kind, { charged: false, errors: input.errors, detail })
}
