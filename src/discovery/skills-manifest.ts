import type { Shop } from '../config/shop.ts'
import { type Offer, pagePath } from '../offers/offer.ts'
import type { Skill } from '../offers/skill.ts'
import type { SkillsManifest } from '../offers/skills-manifest-schema.ts'
import { toPaymentParameters, toShopLine } from './catalog.ts'
import { toInstallLinks } from './install/commands.ts'

/** `/skills.json`: the skills alone, with what an installer needs (spec: Skills manifest). */
export function toSkillsManifest(offers: readonly Offer[], skills: readonly Skill[], shop: Shop): SkillsManifest {
  const bySlug = new Map(skills.map((skill) => [skill.slug, skill]))
  const toFile = (slug: string) => {
    const skill = bySlug.get(slug)
    return skill && { version: skill.version, sizeBytes: skill.bytes, digest: `sha256:${skill.sha256}` }
  }
  const items = offers
    .filter(({ lane }) => lane === 'skill')
    .map((offer) => ({
      ...toShopLine(offer, shop),
      rawUrl: shop.baseUrl + offer.path,
      ...toInstallLinks(offer.slug, shop.baseUrl),
      publishedAt: offer.publishedAt ?? null,
      ...toFile(offer.slug),
      x402: toPaymentParameters(offer, shop),
    }))
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
