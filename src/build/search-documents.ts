import site from '../../site.config.ts'
import { getWriting } from '../content/get-writing.ts'
import { getOffers, getSkillOffers } from '../content/offers.ts'
import { getPages } from '../content/pages.ts'
import { getPlainText } from '../content/post-texts.ts'
import { getPosts, type Post, postPath } from '../content/posts.ts'
import { toPlainText } from '../content/to-plain-text.ts'
import { toInputFields } from '../offers/body-shape.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'
import type { Skill } from '../offers/skill.ts'
import type { SearchDocument } from '../search/search-document.ts'

const toPostDocument = async (post: Post): Promise<SearchDocument> => ({
  collection: 'posts',
  slug: post.id,
  url: encodeURI(postPath(post)),
  title: post.data.title,
  excerpt: post.data.excerpt,
  body: await getPlainText(post),
  publishedAt: post.data.publishedAt.toISOString(),
  language: post.data.language,
})

/** The texts that distinguish a product from others; how to buy is left out, because it is the same for all. */
const toProductDocument = (offer: Offer, skill?: Skill): SearchDocument[] => {
  const { lane, slug, title, excerpt, delivers, method, path } = offer
  if (lane === 'storeItem') return []
  const fields = toInputFields(offer).flatMap(({ name, description }) => [name, description])
  const about = skill ? [skill.description, ...skill.headings] : fields
  return [
    {
      collection: 'pages',
      slug,
      url: encodeURI(pagePath(offer)),
      title,
      excerpt,
      body: [...delivers, ...about, `${method} ${path}`].join(' '),
      language: site.language,
      kind: lane,
      price: priceText(offer),
    },
  ]
}

/**
 * The documents that search finds, for the step that makes the search index. For use in builds only, which know which
 * posts are drafts or not due yet.
 */
export async function listSearchDocuments(): Promise<SearchDocument[]> {
  const [posts, pages, offers, skills] = await Promise.all([getPosts(), getPages(), getOffers(), getSkillOffers()])
  const skillOf = new Map(skills.map(({ skill }) => [skill.slug, skill]))
  const pageDocuments = pages.map(
    async (page): Promise<SearchDocument> => ({
      collection: 'pages',
      slug: page.id,
      url: encodeURI(`/${page.id}`),
      title: page.data.title,
      excerpt: page.data.excerpt,
      body: toPlainText(await getWriting(page)),
      language: site.language,
    }),
  )
  const products = offers.flatMap((offer) => toProductDocument(offer, skillOf.get(offer.slug)))
  return [...(await Promise.all([...posts.map(toPostDocument), ...pageDocuments])), ...products]
}
