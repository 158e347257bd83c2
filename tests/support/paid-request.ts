import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type Offer, priceOf } from '../../src/offers/offer.ts'
import { toRequest } from './raw-connections.ts'
import { type PaymentWish, type SignedPayment, signPayment } from './signed-payments.ts'
import { isPost } from './tested-offers.ts'

/** The content type of bodies that paid routes read. */
export const json = 'Content-Type: application/json'

/** The published example input of a product, as a plain object. */
export const exampleOf = (offer: Offer): Record<string, unknown> => ({ ...offer.example })

/** Signs the price of a product's example for the sandbox's wallet, with a redelivery token. */
export const signFor = (offer: Offer, wish: Partial<PaymentWish> = {}): Promise<SignedPayment> =>
  signPayment({
    amount: priceOf(offer, offer.input.parse(offer.example)),
    payTo: sandboxPayTo,
    validBefore: Math.floor(Date.now() / 1000) + 900,
    token: 'a-token-of-the-buyer',
    ...wish,
  })

/** The parts that differ from the example request. */
export interface Wrong {
  method?: string
  target?: string
  lines?: readonly string[]
  body?: string | Buffer
}

/** The example request of a product with this `PAYMENT-SIGNATURE`, except for the given differences. */
export function paidRequest(offer: Offer, header: string | undefined, wrong: Wrong = {}): Buffer {
  const { method = offer.method, target = offer.path, lines = isPost(offer) ? [json] : [] } = wrong
  const body = wrong.body ?? (isPost(offer) && method === 'POST' ? JSON.stringify(exampleOf(offer)) : undefined)
  return toRequest({
    method,
    target,
    lines: [...lines, ...(header === undefined ? [] : [`PAYMENT-SIGNATURE: ${header}`])],
    ...(body !== undefined && { body }),
  })
}
