import { toolRetryRule } from '../core/buying-rules.ts'
import { Problem } from '../core/problem.ts'
import { toServiceName } from '../core/service-name.ts'
import { type ToolAnswer, type ToolCall, toToolProblem } from '../core/tool-answer.ts'
import type { Make } from '../offers/make.ts'
import type { Offer } from '../offers/offer.ts'
import type { Complete } from './deliver.ts'
import { readArguments } from './read-input.ts'
import { makeSell, type SellDeps } from './sell.ts'
import { type FindPurchase, makeToolProduct } from './tool-product.ts'
import { type ChallengeDeps, type ChallengeFacts, toChallenge, type Wording } from './wire/challenge.ts'
import type { Payment } from './wire/payment.ts'
import { toSettleResponse, type Unsettled } from './wire/payment-response.ts'
import { readToolPayment } from './wire/read-payment.ts'
import { toToolTerms } from './wire/tool-terms.ts'

export interface ToolGateDeps
  extends Omit<ChallengeDeps, 'advertise' | 'wording' | 'toResourceUrl'>,
    Omit<SellDeps, 'wording'> {
  advertiseTool: (offer: Offer, tool: string) => Record<string, unknown>
  /** Finds the address of a stored purchase. */
  findPurchase: FindPurchase
}

export type ToolGate = (
  offer: Offer,
  tool: string,
  make: Make | undefined,
  complete?: Complete,
) => (call: ToolCall) => Promise<ToolAnswer>

const wording: Wording = {
  pay: 'call the tool again with the same arguments and the signed payment as _meta["x402/payment"]',
  rules: toolRetryRule,
  resend:
    'Call the tool again with the identical arguments and the identical _meta["x402/payment"]; do not sign a new payment',
  proof:
    'Within ten minutes, call the tool with the same arguments and a fresh signature of the same wallet: it proves that you paid, fetches what you bought, and is not charged',
  anew: 'call the tool again and sign once more',
}

/**
 * The same as `makeGate` for MCP tools instead of paths (x402 v2, MCP transport): the terms of payment are an error
 * result, and a payment and its receipt travel in `_meta`. Terms are only sent when no money can have moved.
 */
export function makeToolGate(deps: ToolGateDeps): ToolGate {
  const sell = makeSell(deps, wording)

  return (offer, tool, make, complete) => {
    const listing = { offer, make, complete }
    const advertised: ChallengeDeps = {
      ...deps,
      wording,
      toResourceUrl: () => `mcp://tool/${tool}`,
      advertise: () => deps.advertiseTool(offer, tool),
    }
    /**
     * Adds the description of the product to a payment for the facilitator. The terms of tools leave it out, because
     * wallets do not need it, so the payment does not echo it.
     */
    const describe = (payment: Payment): Payment => {
      const { excerpt: description, mimeType } = offer
      const serviceName = toServiceName(deps.shopName)
      const resource = {
        url: advertised.toResourceUrl(offer),
        description,
        mimeType,
        ...(serviceName && { serviceName }),
      }
      return { ...payment, payload: { ...payment.payload, resource, extensions: advertised.advertise(offer) } }
    }
    const read = (given: unknown): Payment | 'unreadable' => {
      const payment = readToolPayment(given)
      return payment ? describe(payment) : 'unreadable'
    }
    const challenge = (facts: ChallengeFacts): ToolAnswer => toToolTerms(toChallenge(advertised, facts).issue().body)

    return async (call) => {
      const refuse = (problem: Problem) => toToolProblem(problem, { baseUrl: deps.baseUrl, requestId: call.requestId })
      try {
        const given = call.arguments ?? {}
        const answered = await sell(listing, {
          input: readArguments(offer, given),
          payment: call.payment === undefined ? 'absent' : read(call.payment),
          hasInput: typeof given !== 'object' || Object.keys(given).length > 0,
          gone: call.signal,
          caller: call.caller,
          requestId: call.requestId,
        })
        switch (answered.is) {
          case 'delivered':
            return await makeToolProduct(answered.delivered, { offer, ...deps })
          case 'challenge':
            return withSettlement(challenge(answered.facts), answered.unsettled)
          case 'problem':
            return withSettlement(refuse(answered.problem), answered.unsettled)
        }
      } catch (error) {
        deps.report(error)
        // An earlier copy of this call may have been paid, so it must not be told that nothing was charged.
        return refuse(new Problem('internal-error', { charged: 'unknown', retryAfterSeconds: 5 }))
      }
    }
  }
}

const withSettlement = (answer: ToolAnswer, unsettled: Unsettled | undefined): ToolAnswer =>
  unsettled ? { ...answer, _meta: { ...answer._meta, 'x402/payment-response': toSettleResponse(unsettled) } } : answer
