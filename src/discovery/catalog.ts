import { type Offer, pagePath } from '../../functions/offer.ts'
import { priceText } from '../../functions/price-text.ts'
import site from '../../site.config.ts'
import { toBodyShape } from './body-shape.ts'
import type { Catalog } from './document-schemas/catalog-schema.ts'
import { toInstallLinks } from './install-links.ts'
import { toPaymentParameters } from './payment-parameters.ts'
import { toPointers } from './pointers.ts'
import type { Shop } from './shop.ts'

const toEntry = (offer: Offer, shop: Shop) => ({
  slug: offer.slug,
  title: offer.title,
  excerpt: offer.excerpt,
  price: priceText(offer),
  previewUrl: shop.baseUrl + pagePath(offer),
  buyUrl: shop.baseUrl + offer.path,
  method: offer.method,
  mimeType: offer.mimeType,
  x402: toPaymentParameters(offer, shop),
})

/** `/api/catalog.json`: what is for sale, for how much, and where the rest is (spec: Master catalog). */
export function toCatalog(offers: readonly Offer[], shop: Shop): Catalog {
  const inLane = (lane: Offer['lane']) => offers.filter((offer) => offer.lane === lane)
  const skills = inLane('skill').map((offer) => ({
    kind: 'skill' as const,
    ...toEntry(offer, shop),
    ...toInstallLinks(offer.slug, shop.baseUrl),
  }))
  const hostedApis = inLane('hostedApi').map((offer) => {
    const bodyShape = toBodyShape(offer)
    return { kind: 'hostedApi' as const, ...toEntry(offer, shop), ...(bodyShape && { bodyShape }) }
  })
  const content = inLane('content').map((offer) => ({ kind: 'content' as const, ...toEntry(offer, shop) }))
  return {
    version: '1.0',
    description: site.description,
    source: `${shop.baseUrl}/api/catalog.json`,
    wallet: shop.payTo,
    currency: 'USDC',
    network: shop.network,
    facilitator: shop.facilitatorUrl,
    counts: {
      skills: skills.length,
      hostedApis: hostedApis.length,
      content: content.length,
      total: skills.length + hostedApis.length + content.length,
    },
    skills,
    hostedApis,
    content,
    pointers: toPointers(shop.baseUrl),
  }
}
