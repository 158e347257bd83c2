import { type Offer, pagePath } from '../../functions/offer.ts'
import { priceText } from '../../functions/price-text.ts'
import type { SkillsManifest } from './document-schemas/skills-manifest-schema.ts'
import { toInstallLinks } from './install-links.ts'
import { toPaymentParameters } from './payment-parameters.ts'
import type { Shop } from './shop.ts'

const toItem = (offer: Offer, shop: Shop) => ({
  slug: offer.slug,
  title: offer.title,
  excerpt: offer.excerpt,
  price: priceText(offer),
  previewUrl: shop.baseUrl + pagePath(offer),
  rawUrl: shop.baseUrl + offer.path,
  ...toInstallLinks(offer.slug, shop.baseUrl),
  publishedAt: offer.publishedAt ?? null,
  x402: toPaymentParameters(offer, shop),
})

/** `/skills.json`: the skills alone, with what an installer needs (spec: Skills manifest). */
export function toSkillsManifest(offers: readonly Offer[], shop: Shop): SkillsManifest {
  const items = offers.filter(({ lane }) => lane === 'skill').map((offer) => toItem(offer, shop))
  return {
    version: '1.0',
    description: 'Markdown files that teach an agent one thing each, in the Agent Skills format.',
    source: `${shop.baseUrl}/skills.json`,
    count: items.length,
    currency: 'USDC',
    network: shop.network,
    payTo: shop.payTo,
    installPattern: toInstallLinks(':slug', shop.baseUrl).installUrl,
    previewPattern: shop.baseUrl + pagePath({ lane: 'skill', slug: ':slug' }),
    items,
  }
}
