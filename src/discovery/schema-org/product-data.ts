import site from '../../../site.config.ts'
import type { Shop } from '../../config/shop.ts'
import { type MicroUsd, toDisplay } from '../../core/money.ts'
import { advertisedPrice, type Offer, pagePath } from '../../offers/offer.ts'

const amount = (price: MicroUsd): string => toDisplay(price).slice(1)

/** A fixed price, or the lowest and the highest possible one. */
const toPrice = (offer: Offer) =>
  typeof offer.price === 'bigint'
    ? { '@type': 'Offer', price: amount(offer.price) }
    : {
        '@type': 'AggregateOffer',
        lowPrice: amount(advertisedPrice(offer)),
        highPrice: amount(offer.price.most),
        offerCount: 1,
      }

/** A product for search engines (schema.org). */
export const toProductData = (offer: Offer, { baseUrl }: Pick<Shop, 'baseUrl'>) => ({
  '@type': 'Product',
  name: offer.title,
  description: offer.excerpt,
  sku: offer.id,
  url: baseUrl + pagePath(offer),
  brand: { '@type': 'Brand', name: site.name },
  offers: {
    ...toPrice(offer),
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
    url: baseUrl + offer.path,
    seller: { '@type': 'Organization', name: site.name, url: `${baseUrl}/` },
  },
})
