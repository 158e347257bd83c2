import { createHash, randomUUID } from 'node:crypto'
import { retryRule } from '../core/buying-rules.ts'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { isUnchanged } from '../http/conditional-request.ts'
import { prefersHtml } from '../http/negotiate.ts'
import { toPreflightHeaders } from '../http/preflight.ts'
import { fileNameAs } from '../offers/file-name.ts'
import type { Make } from '../offers/make.ts'
import { advertisedPrice, type Offer } from '../offers/offer.ts'
import { blocked } from './block-list.ts'
import type { Complete, Delivered } from './deliver.ts'
import { toPricePage } from './price-page.ts'
import { readInput } from './read-input.ts'
import { makeSell, type SellDeps } from './sell.ts'
import type { SignIn } from './sign-in/check-sign-in.ts'
import { readSignInHeader } from './sign-in/read-sign-in-header.ts'
import { type ChallengeDeps, type ChallengeFacts, toChallenge, type Wording } from './wire/challenge.ts'
import type { Payment } from './wire/payment.ts'
import { toPaymentResponse, type Unsettled } from './wire/payment-response.ts'
import { readPayment, saysVersionOne } from './wire/read-payment.ts'

/** `caller` is the address that asks, as limits count it. */
export type Handler = (request: Request, caller?: string) => Promise<Response>

/** What belongs to the gate of some products only. */
export interface GateParts {
  /** Finishes a product on its way out. */
  readonly complete?: Complete | undefined
  /** The page that a person gets who opens the address; a plain one when absent. */
  readonly page?: string | undefined
}

export type Gate = (offer: Offer, make: Make | undefined, parts?: GateParts) => Handler

export interface GateDeps extends ChallengeDeps, SellDeps {}

export const httpWording: Wording = {
  pay: 'send the same request with PAYMENT-SIGNATURE (x402 version 2)',
  rules: retryRule,
  resend: 'Send the identical request with the identical PAYMENT-SIGNATURE again; do not sign a new payment',
  proof:
    'Send the same request with a fresh signature of the same wallet: it proves that you paid, fetches what you bought, and is not charged',
  anew: 'send the same request again and sign once more',
}

/** What pages of other origins may read of every paid answer. */
const exposed = 'ETag, PAYMENT-REQUIRED, PAYMENT-RESPONSE, Repr-Digest, Retry-After, X-Receipt-Id, X-Charged'

/** Cross-origin rules of every paid route: browsers may pay from anywhere. */
const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed } as const

/** The stock browser client sends the last one as a request header. */
const crossOriginHeaders = 'PAYMENT-SIGNATURE, SIGN-IN-WITH-X, Content-Type, Access-Control-Expose-Headers'

/** Headers of every 402: never cached, different for browsers and for those who pay. */
export const challengeHeaders = {
  ...corsHeaders,
  'cache-control': 'no-store',
  vary: 'Accept, PAYMENT-SIGNATURE, SIGN-IN-WITH-X',
} as const

/**
 * Composes the payment gate into the handler of one product (never a middleware that matches paths, so that no
 * spelling of a path can go round it). The walk from a request to its receipt, one verb a step:
 *
 *     read      read-input.ts, wire/read-payment.ts     the input, and the payment that came with it
 *     sell      sell.ts                                 quotes the price; a 402 or a refusal ends the walk here
 *     buy       purchase/buy.ts                         one purchase for one authorization, shared by its copies
 *       resume    purchase/buy.ts                         a row exists: goes on where it stands
 *       check     purchase/buy.ts, wire/requirements.ts   no row: is the payment what we asked for, is there room
 *       claim     ledger/ledger.ts                        the row, in `working`
 *     fulfil    purchase/fulfil.ts                      what happens under a claim:
 *       verify    facilitator/facilitator-client.ts       the signature is good
 *       make      purchase/make-product.ts                the product, before the offer's deadline
 *       keep      ledger/ledger.ts                        `keepForSettlement`: product and `settling`, durably
 *       settle    settlement/settle-payment.ts            the facilitator sends it, the chain is asked whether it did
 *       record    ledger/ledger-sales.ts                  `recordSale`: the sale and its receipt
 *     deliver   deliver.ts                              the stored bytes, with the receipt
 *     answer    here, or tool-gate.ts                   the same answer as HTTP, or as a tool's result
 *
 * What is left over by a crash is taken up by settlement/reconcile.ts.
 * `make` is undefined while a product is declared but not built.
 *
 * Answers 402 to whoever does not pay, whatever else is wrong; refuses bad input uncharged; otherwise sells.
 */
export function makeGate(deps: GateDeps): Gate {
  const sell = makeSell(deps, deps.wording)

  return (offer, make, { complete, page = toPricePage(offer, deps.baseUrl) } = {}) => {
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
      return new Response(isPage ? page : body, { status: 402, headers })
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
          headers: { ...corsHeaders, ...toPreflightHeaders(methods, crossOriginHeaders) },
        })
      if (request.method === 'HEAD' && offer.method === 'GET') {
        if (deps.isBlocked({ caller })) return refuse(request, blocked())
        return challenge(request, { offer, price: advertisedPrice(offer), reason: 'payment_required' })
      }
      if (request.method !== offer.method)
        return refuse(
          request,
          new Problem('method-not-allowed', { charged: false, detail: `Use ${methods}`, headers: { allow: methods } }),
        )

      const header = request.headers.get('payment-signature')
      const input = await readInput(offer, request)
      const payment = header === null ? 'absent' : (readPayment(header) ?? 'unreadable')
      const signIn = readSignIn(request, deps.toResourceUrl(offer))
      const hasInput = request.method !== 'POST' || hasBody(request)
      const requestId = request.headers.get('x-request-id') ?? undefined
      const { signal: gone } = request
      const answered = await sell(
        { offer, make, complete },
        {
          input,
          payment: isOutdated(request, payment) ? 'outdated' : payment,
          signIn,
          hasInput,
          gone,
          caller,
          requestId,
        },
      )
      switch (answered.is) {
        case 'delivered':
          return toResponse(request, answered.delivered, offer)
        case 'challenge':
          return challenge(request, answered.facts, toSettlementHeaders(answered.unsettled))
        case 'problem':
          return refuse(request, answered.problem, toSettlementHeaders(answered.unsettled))
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

/** Clients of version 1 pay with a header that nobody reads here, or with a payload that is not one of ours. */
function isOutdated({ headers }: Request, payment: Payment | 'absent' | 'unreadable'): boolean {
  if (payment === 'absent') return headers.has('x-payment')
  return payment === 'unreadable' && saysVersionOne(headers.get('payment-signature') ?? '')
}

const toSettlementHeaders = (unsettled: Unsettled | undefined): Record<string, string> =>
  unsettled ? { 'payment-response': toPaymentResponse(unsettled) } : {}

/**
 * The product with what proves it. Whoever fetches again what they have may say so with its tag (`If-None-Match`); a
 * first delivery is always the bytes, because they were just paid for.
 */
function toResponse(request: Request, delivered: Delivered, offer: Offer): Response {
  const { body, mimeType, headers, settled, receipt, signed, isAgain, isOwned } = delivered
  const digest = createHash('sha256').update(body).digest()
  const etag = `"${digest.toString('hex')}"`
  const proof = {
    ...corsHeaders,
    'access-control-expose-headers': [exposed, ...Object.keys(offer.headers ?? {})].join(', '),
    'cache-control': 'private, no-store',
    etag,
    'payment-response': toPaymentResponse(settled, signed),
    ...(receipt && { 'x-receipt-id': receipt.id }),
    ...(isOwned && { 'x-charged': 'false' }),
  }
  if (isAgain && request.method === 'GET' && isUnchanged({ noneMatch: request.headers.get('if-none-match') }, etag))
    return new Response(null, { status: 304, headers: proof })
  return new Response(new Uint8Array(body), {
    headers: {
      ...headers,
      ...proof,
      'content-type': mimeType,
      'content-length': String(body.byteLength),
      'content-disposition': `inline; filename="${fileNameAs(offer, mimeType)}"`,
      'repr-digest': `sha-256=:${digest.toString('base64')}:`,
    },
  })
}

/** A message by which an owner shows its wallet for this very product; one that cannot be read opens nothing. */
function readSignIn({ headers }: Request, uri: string): SignIn | undefined {
  const header = headers.get('sign-in-with-x')
  const signed = header === null ? undefined : readSignInHeader(header)
  return signed && { ...signed, domain: new URL(uri).host, uri }
}

const hasBody = (request: Request): boolean => request.body !== null && request.headers.get('content-length') !== '0'
