import type { Shop } from '../../src/config/shop.ts'
import { findProducts } from '../../src/offers/find-products.ts'
import { toOffers } from '../../src/offers/products.ts'
import type { Skill } from '../../src/offers/skill.ts'

/** Public facts of a fictitious installation. */
export const sampleShop: Shop = {
  baseUrl: 'https://shop.example',
  gameUrl: 'https://game.shop.example',
  wsUrl: 'wss://game.shop.example/ws',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  alsoAccepts: [],
  facilitatorUrl: 'https://facilitator.example',
  mode: 'live',
}

/** A skill with the longest texts that front matter allows. */
export const sampleSkill = (slug: string): Skill => ({
  slug,
  title: `Skill ${slug}`,
  excerpt: 'x'.repeat(220),
  description: 'y'.repeat(1024),
  version: '1.0.0',
  publishedAt: '2026-11-20T08:00:00.000Z',
  bytes: 12_345,
  sha256: 'ab'.repeat(32),
  headings: ['Rules'],
  preview: '# Opening',
})

/** Eight skills out of order, and all products that the folders of `functions/` declare. */
export const sampleOffers = toOffers(
  await findProducts('functions'),
  ['h', 'b', 'c', 'd', 'e', 'f', 'g', 'a'].map((letter) => sampleSkill(`skill-${letter}`)),
)
