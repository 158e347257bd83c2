import { validateHeaderName, validateHeaderValue } from 'node:http'
import { withDeadline } from '../../core/with-deadline.ts'
import type { Offer } from '../../offers/offer.ts'
import type { Product } from '../../offers/product.ts'

/** Makes the product of one request. It gets the key of the payment, because a product may depend on it. */
export type Work = (signal: AbortSignal, paymentKey: string) => Promise<Product>

/**
 * Makes a product within the offer's deadline, unless `stop` is aborted first.
 *
 * @throws whatever the work throws; the reason of `stop`; a `TimeoutError` after the deadline; Error when the product
 *   is not deliverable
 */
export async function makeProduct(offer: Offer, make: Work, paymentKey: string, stop: AbortSignal): Promise<Product> {
  const product = await withDeadline(offer.workSeconds * 1000, stop, (until) => make(until, paymentKey))
  assertDeliverable(product, offer)
  return product
}

/**
 * Checks a product before money moves: it must not be empty, must have an offered media type, and its headers must be
 * valid in HTTP.
 *
 * @throws Error that says what is wrong
 */
function assertDeliverable(
  { body, mimeType, headers = {} }: Product,
  offer: Pick<Offer, 'mimeType' | 'otherMimeTypes'>,
): void {
  if (body.length === 0) throw new Error('the work made an empty product')
  const [type = ''] = mimeType.split(';', 1)
  if (![offer.mimeType, ...(offer.otherMimeTypes ?? [])].includes(type.trim()))
    throw new Error(`the work made ${type} instead of ${offer.mimeType}`)
  for (const [name, value] of Object.entries({ ...headers, 'content-type': mimeType })) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
}
