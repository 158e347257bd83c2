import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { retryRule } from '../core/buying-rules.ts'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { asStream } from '../http/as-stream.ts'
import { prefersHtml } from '../http/negotiate.ts'
import { toPreflightHeaders } from '../http/preflight.ts'
import type { Make } from '../offers/make.ts'
import { advertisedPrice, type Offer } from '../offers/offer.ts'
import { blocked } from './block-list.ts'
import type { Complete } from './deliver.ts'
import { corsHeaders, type PlainAnswer, toDeliveredAnswer } from './delivered-answer.ts'
import { toPricePage } from './price-page.ts'
import { type Input, readInput, readNothing } from './read-input.ts'
import { makeSell, type SellDeps } from './sell.ts'
import type { SignIn } from './sign-in/check-sign-in.ts'
import { readSignInHeader } from './sign-in/read-sign-in-header.ts'
import { type ChallengeDeps, type ChallengeFacts, toChallenge, type Wording } from './wire/challenge.ts'
import type { Payment } from './wire/payment.ts'
import { toPaymentResponse, type Unsettled } from './wire/payment-response.ts'
import { readPayment, saysVersionOne } from './wire/read-payment.ts'

/** Answers the requests of one product. `caller`: the address of the request, as rate limits count it. */
export interface Handler {
  (request: Request, caller?: string): Promise<Response>
  /** The same for a GET without query and body, without the cost of `Request` and `Response` objects. */
  readonly plainly: (asked: PlainRequest) => Promise<PlainAnswer>
}

/** A GET of a product's path without query and body, as Node.js read it. */
export interface PlainRequest {
  readonly headers: IncomingHttpHeaders
  /** Aborted when the buyer's connection is gone. */
  readonly gone: AbortSignal
  readonly caller: string
}

/** What the gate needs of a request, whether it came as a `Request` or as a `PlainRequest`. */
interface Asked extends Pick<Request, 'method' | 'signal'> {
  readonly headers: Pick<Headers, 'get' | 'has'>
  readonly readInput: () => Promise<Input>
  readonly hasInput: boolean
  readonly caller: string | undefined
}

/** Parts that only some products have. */
export interface GateParts {
  /** Completes the product at delivery. */
  readonly complete?: Complete | undefined
  /** HTML for browsers that open the paid address; a plain page with the price when absent. */
  readonly page?: string | undefined
}

export type Gate = (offer: Offer, make: Make | undefined, parts?: GateParts) => Handler

export interface GateDeps extends ChallengeDeps, SellDeps {}

export const httpWording: Wording = {
  pay: 'send the same request with PAYMENT-SIGNATURE (x402 version 2)',
  rules: retryRule,
  resend: 'Send the identical request with the identical PAYMENT-SIGNATURE again; do not sign a new payment',
  proof:
    'Within ten minutes, send the same request with a fresh signature of the same wallet: it proves that you paid, fetches what you bought, and is not charged',
  anew: 'send the same request again and sign once more',
}

/**
 * Request headers that pages of other origins may send. `If-None-Match` lets a page ask whether its copy is current;
 * the stock x402 browser client sends the last one, although it is a response header.
 */
const crossOriginHeaders =
  'PAYMENT-SIGNATURE, SIGN-IN-WITH-X, Content-Type, If-None-Match, Access-Control-Expose-Headers'

/** Headers of every 402: never cached, and different for browsers and for requests with a payment. */
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
 * Rows that a crash leaves unfinished are taken up by settlement/reconcile.ts.
 * `make` is undefined while a product is declared but not built.
 *
 * A request without a payment is answered with 402, whatever else is wrong with it; a paid request with bad input is
 * refused uncharged; any other is sold.
 */
export function makeGate(deps: GateDeps): Gate {
  const sell = makeSell(deps, deps.wording)

  return (offer, make, { complete, page = toPricePage(offer, deps.baseUrl) } = {}) => {
    const methods = offer.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

    const challenge = (request: Asked, facts: ChallengeFacts, more = {}): Response => {
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
    const refuse = (request: Asked, problem: Problem, more: Readonly<Record<string, string>> = {}): Response => {
      // The front server names each request, so that the answer, its header and the log agree.
      const requestId = request.headers.get('x-request-id') ?? randomUUID()
      const response = toProblemResponse(problem, { baseUrl: deps.baseUrl, requestId })
      for (const [name, value] of Object.entries({ ...corsHeaders, ...more })) response.headers.set(name, value)
      return response
    }

    const answer = async (request: Asked): Promise<Response | PlainAnswer> => {
      const { caller, hasInput } = request
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
      const input = await request.readInput()
      const payment = header === null ? 'absent' : (readPayment(header) ?? 'unreadable')
      const signIn = readSignIn(request, deps.toResourceUrl(offer))
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
          return toDeliveredAnswer(answered.delivered, offer, {
            method: request.method,
            noneMatch: request.headers.get('if-none-match'),
          })
        case 'challenge':
          return challenge(request, answered.facts, toSettlementHeaders(answered.unsettled))
        case 'problem':
          return refuse(request, answered.problem, toSettlementHeaders(answered.unsettled))
      }
    }

    const answerAll = async (request: Asked): Promise<Response | PlainAnswer> => {
      try {
        return await answer(request)
      } catch (error) {
        deps.report(error)
        // An earlier copy of this request may have been paid, so it must not be told that nothing was charged.
        return refuse(request, new Problem('internal-error', { charged: 'unknown', retryAfterSeconds: 5 }))
      }
    }

    const handle = async (request: Request, caller?: string): Promise<Response> =>
      toResponse(
        await answerAll({
          method: request.method,
          headers: request.headers,
          signal: request.signal,
          readInput: () => readInput(offer, request),
          hasInput: request.method !== 'POST' || hasBody(request),
          caller,
        }),
      )
    const plainly = async ({ headers, gone, caller }: PlainRequest): Promise<PlainAnswer> =>
      toPlain(
        await answerAll({
          method: 'GET',
          headers: { get: (name) => toText(headers[name]), has: (name) => headers[name] !== undefined },
          signal: gone,
          readInput: async () => readNothing(offer),
          hasInput: true,
          caller,
        }),
      )
    return Object.assign(handle, { plainly })
  }
}

const toText = (header: string | string[] | undefined): string | null =>
  header === undefined ? null : Array.isArray(header) ? header.join(', ') : header

function toResponse(answer: Response | PlainAnswer): Response {
  if (answer instanceof Response) return answer
  const { status, headers, body } = answer
  return new Response(body && asStream(body), { status, headers })
}

async function toPlain(answer: Response | PlainAnswer): Promise<PlainAnswer> {
  if (!(answer instanceof Response)) return answer
  const { status, headers } = answer
  return { status, headers: Object.fromEntries(headers), body: await answer.bytes() }
}

/** Whether the client pays as x402 version 1: in an `X-PAYMENT` header, or with a version 1 payload in ours. */
function isOutdated({ headers }: Asked, payment: Payment | 'absent' | 'unreadable'): boolean {
  if (payment === 'absent') return headers.has('x-payment')
  return payment === 'unreadable' && saysVersionOne(headers.get('payment-signature') ?? '')
}

const toSettlementHeaders = (unsettled: Unsettled | undefined): Record<string, string> =>
  unsettled ? { 'payment-response': toPaymentResponse(unsettled) } : {}

/** The signed message by which an owner proves its wallet for this product; undefined when absent or unreadable. */
function readSignIn({ headers }: Asked, uri: string): SignIn | undefined {
  const header = headers.get('sign-in-with-x')
  const signed = header === null ? undefined : readSignInHeader(header)
  return signed && { ...signed, domain: new URL(uri).host, uri }
}

const hasBody = (request: Request): boolean => request.body !== null && request.headers.get('content-length') !== '0'
