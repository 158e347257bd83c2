import type { Skill } from '../src/publishing/skill.ts'
import { botCatalogOffer } from './bot-catalog/offer.ts'
import { exportPostsOffer } from './export-posts/offer.ts'
import { imageOffer } from './image/offer.ts'
import { llmsFullOffer } from './llms-full/offer.ts'
import { narrateOffer } from './narrate/offer.ts'
import type { Offer } from './offer.ts'
import { packOffer } from './pack/offer.ts'
import { sessionStatusOffer } from './session-status/offer.ts'
import { skillOffer } from './skill/offer.ts'

/** Everything the marketplace sells, in the order of its documents: skills by slug, hosted APIs, paid content. */
export const makeOffers = (skills: readonly Skill[]): readonly Offer[] => [
  ...skills.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map(skillOffer),
  imageOffer,
  narrateOffer,
  botCatalogOffer,
  packOffer,
  sessionStatusOffer,
  llmsFullOffer,
  exportPostsOffer,
]
