import site from '../../site.config.ts'
import { toServiceName } from '../core/service-name.ts'
import type { Offer } from '../offers/offer.ts'
import { pagePath } from '../offers/offer.ts'
import type { PaidResource } from '../offers/resource-list.ts'
import { toBazaar } from './bazaar.ts'
import { type Seller, toAdvertisedTerms } from './well-known/paid-resources.ts'

/** All products in the format of a facilitator's list of resources; `updatedAt` is an RFC 3339 time. */
export const toPaidOffers = (
  offers: readonly Offer[],
  seller: Omit<Seller, 'sellerUrl'>,
  updatedAt: string,
): PaidResource[] =>
  offers.map((offer) => ({
    resource: seller.baseUrl + offer.path,
    type: 'http',
    x402Version: 2,
    accepts: toAdvertisedTerms(offer, seller).map((terms) => ({ ...terms })),
    lastUpdated: updatedAt,
    description: offer.excerpt,
    mimeType: offer.mimeType,
    serviceName: toServiceName(site.name),
    metadata: { title: offer.title, page: seller.baseUrl + pagePath(offer) },
    extensions: { bazaar: toBazaar(offer) },
  }))
