import { advertisedPrice, type Offer, pagePath } from '../../functions/offer.ts'
import { toDisplay } from '../money.ts'
import type { Shop } from './shop.ts'

/** A product for search engines (schema.org). */
export const toProductData = (offer: Offer, { baseUrl }: Pick<Shop, 'baseUrl'>) => ({
  '@type': 'Product',
  name: offer.title,
  description: offer.excerpt,
  sku: offer.id,
  url: baseUrl + pagePath(offer),
  offers: {
    '@type': 'Offer',
    price: toDisplay(advertisedPrice(offer)).slice(1),
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
    url: baseUrl + offer.path,
  },
})
