import site from '../../site.config.ts'
import { toAuthorAlternates } from '../alternates/author-alternates.ts'
import { newestOf, toPostAlternate, toPostLine } from '../alternates/post-alternate.ts'
import { toApiAlternate, toSkillAlternate } from '../alternates/product-alternate.ts'
import { toSeriesAlternates } from '../alternates/series-alternates.ts'
import {
  podcastAlternate,
  searchAlternate,
  toHomeAlternate,
  toListAlternates,
  toProblemAlternates,
  toProductTable,
} from '../alternates/shop-alternates.ts'
import { toTagAlternates } from '../alternates/tag-alternates.ts'
import { shop } from '../config/site-context.ts'
import { getWriting } from '../content/get-writing.ts'
import { getOffers, getSkillOffers } from '../content/offers.ts'
import { getPages } from '../content/pages.ts'
import { renderPosts } from '../content/render-posts.ts'
import { toMarkdown } from '../content/to-markdown.ts'
import type { Alternate } from '../core/alternate.ts'
import { toSections } from '../core/markdown.ts'
import { toGuide, toGuideAlternate } from '../mcp/guide.ts'

async function makeAlternates(): Promise<Alternate[]> {
  const [posts, skills, offers, pages] = await Promise.all([renderPosts(), getSkillOffers(), getOffers(), getPages()])
  const updatedAt = newestOf(posts)
  const shown = { posts: posts.map(toPostLine), offers, updatedAt }
  const pageAlternates = pages.map(async (page): Promise<Alternate> => {
    const markdown = toMarkdown(await getWriting(page))
    const { title, excerpt, updatedAt } = page.data
    const body = page.id === 'agents' ? toSections(markdown, toProductTable(offers)) : markdown
    return { path: `/${page.id}`, title, summary: excerpt, body, updatedAt }
  })
  return [
    toHomeAlternate(shown),
    ...toListAlternates(shown),
    ...posts.map(toPostAlternate),
    ...toTagAlternates(posts),
    ...toSeriesAlternates(posts),
    ...toAuthorAlternates(posts),
    ...skills.map(({ skill, offer }) => toSkillAlternate(offer, skill, shop.baseUrl)),
    // The export of all writing changes when a post does; a hosted API has no date.
    ...offers
      .filter(({ lane }) => lane === 'hostedApi' || lane === 'content')
      .map((offer) => toApiAlternate(offer, shop.baseUrl, offer.lane === 'content' ? updatedAt : undefined)),
    ...(await Promise.all(pageAlternates)),
    toGuideAlternate(toGuide(offers, shop.baseUrl, site.name)),
    podcastAlternate,
    searchAlternate,
    ...toProblemAlternates(),
  ]
}

let alternates: Promise<Alternate[]> | undefined

/** All pages with a markdown alternate, with their text. Only for use at build time. */
export function getAlternates(): Promise<Alternate[]> {
  if (import.meta.env.DEV) return makeAlternates()
  alternates ??= makeAlternates()
  return alternates
}
