import type { PricedAsset } from '../../core/assets.ts'
import { identifierRule, retryRule } from '../../core/buying-rules.ts'
import { advertisedPrice, isDynamic, maxTimeoutSeconds, type Offer } from '../../offers/offer.ts'
import { toAccepts } from '../../payments/wire/requirements.ts'

export interface Seller {
  /** The origin of the paid routes, without a trailing slash. */
  readonly sellerUrl: string
  /** The address of the site, where the documents are. */
  readonly baseUrl: string
  readonly asset: string
  readonly payTo: string
  /** Tokens that are accepted beside the asset. */
  readonly alsoAccepts: readonly PricedAsset[]
}

/** The terms of a product without a request: the exact price, or the lowest one if it depends on the request. */
export const toAdvertisedTerms = (
  offer: Offer,
  { asset, payTo, alsoAccepts: also }: Omit<Seller, 'sellerUrl' | 'baseUrl'>,
) => toAccepts({ payTo, asset, also }, advertisedPrice(offer), maxTimeoutSeconds(offer))

/**
 * `/.well-known/x402`: every paid address in the format of directories of paid APIs (version 1), with the terms of each
 * product. Prices that depend on the request are minimums here; the 402 response has the exact amount.
 */
export function toPaidResources(offers: readonly Offer[], seller: Seller) {
  const { sellerUrl, baseUrl } = seller
  return {
    version: 1,
    x402Version: 2,
    resources: [...new Set(offers.map(({ path }) => sellerUrl + path))],
    items: offers.map((offer) => ({
      url: sellerUrl + offer.path,
      type: 'http',
      method: offer.method,
      mimeType: offer.mimeType,
      description: offer.excerpt,
      ...(offer.method === 'POST' && { example: offer.example }),
      isMinimum: isDynamic(offer),
      accepts: toAdvertisedTerms(offer, seller),
    })),
    instructions: `Ask without payment: the 402 carries the exact terms. Sign them and repeat the identical request with PAYMENT-SIGNATURE. ${retryRule} ${identifierRule} More: ${baseUrl}/agents`,
  }
}
