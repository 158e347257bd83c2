import { type Fields, readHeader, readJson, readText } from '../browser/read-value.ts'
import { forgetPurchase, keepPurchase, type Purchase, type SignedPurchase } from './kept-purchases.ts'
import { readTerms, type Terms } from './read-terms.ts'

/** A delivered product. */
export interface Delivery {
  readonly is: 'done'
  readonly product: Blob
  readonly headers: Headers
  /** The id of the receipt; empty when the response has none. */
  readonly receipt: string
  readonly transaction: string
}

/** A 402. For a signed purchase it means that the shop took nothing, and `reason` says why. */
export interface Demand {
  readonly is: 'terms'
  readonly terms: Terms
  readonly reason: string
  readonly body: Fields
}

/** The response of the shop to a purchase. */
export type Answer =
  | Demand
  | Delivery
  /** `reason` is the text of the shop, without a full stop; `body` is its problem, which may name fields. */
  | { readonly is: 'refused'; readonly reason: string; readonly body: Fields }
  /** Money may have moved: send the same request again later. `why`: there was no response, or the shop is working. */
  | { readonly is: 'pending'; readonly waitMs: number; readonly why: 'silence' | 'work' }

/** The timeout of a request: longer than any product takes to make. */
const longestMs = 300_000
const silenceMs = 3000

/** Asks for the price of a purchase, without payment. */
export const askTerms = (purchase: Purchase): Promise<Answer> => ask(purchase)

/**
 * Sends a signed purchase. It is stored until the product has arrived, so that neither a lost connection nor a closed
 * window loses what was paid for, and so that a next signature can replace it.
 */
export async function send(purchase: SignedPurchase): Promise<Answer> {
  keepPurchase({ ...purchase, declined: '' })
  const answer = await ask(purchase, purchase.header)
  if (answer.is === 'done') forgetPurchase(purchase)
  else if (answer.is !== 'pending') keepPurchase({ ...purchase, declined: answer.reason })
  return answer
}

async function ask({ method, path, body }: Purchase, header?: string): Promise<Answer> {
  const silent = (reason: string): Answer =>
    header ? { is: 'pending', waitMs: silenceMs, why: 'silence' } : { is: 'refused', reason, body: {} }
  let response: Response
  let product: Blob
  try {
    response = await fetch(path, {
      method,
      cache: 'no-store',
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(header && { 'payment-signature': header }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(longestMs),
    })
    product = await response.blob()
  } catch {
    return silent(navigator.onLine ? 'The shop does not answer. Try again' : 'You are offline. Try again when online')
  }
  if (response.ok) return toDelivery(response, product)
  const said = await readAnswer(product)
  const reason = readText(said['detail']) || `The shop answered ${response.status}`
  const terms = response.status === 402 && !said['errors'] && readTerms(response)
  if (terms) return { is: 'terms', terms, reason, body: said }
  if (header && isOpen(response, said)) return { is: 'pending', waitMs: toWaitMs(response), why: 'work' }
  return { is: 'refused', reason, body: said }
}

const toDelivery = (response: Response, product: Blob): Delivery => ({
  is: 'done',
  product,
  headers: response.headers,
  receipt: response.headers.get('x-receipt-id') ?? '',
  transaction: readText(readHeader(response.headers.get('payment-response'))['transaction']),
})

/**
 * Whether it makes sense to repeat the request: not when the shop says that it took nothing and that a retry is
 * useless.
 */
function isOpen({ status, headers }: Response, { charged, retryable }: Fields): boolean {
  if (status !== 409 && status !== 429 && status < 500) return false
  return headers.has('retry-after') || (charged !== false && retryable !== false)
}

/**
 * At most a minute, because a server that asks for more may not know about the payment, whose signature expires within
 * minutes.
 */
const toWaitMs = ({ headers }: Response): number =>
  1000 * Math.min(Math.max(Number(headers.get('retry-after')) || 3, 1), 60)

/** The JSON of a response; empty when it is not JSON. */
export async function readAnswer(content: Blob): Promise<Fields> {
  const text = await content.text()
  return readJson(() => text)
}
