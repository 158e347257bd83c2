import { getCollection } from 'astro:content'
import { skillOffer } from '../../functions/skill/offer.ts'
import site from '../../site.config.ts'
import { toApiTwin, toSkillTwin } from '../discovery/product-twin.ts'
import {
  podcastTwin,
  searchTwin,
  toHomeTwin,
  toListTwins,
  toProblemTwins,
  toProductTable,
} from '../discovery/shop-twins.ts'
import { toSections } from '../markdown.ts'
import { toGuide, toGuideTwin } from '../mcp/guide.ts'
import { mdxToMarkdown } from '../publishing/mdx-to-markdown.ts'
import { getProductLines } from '../publishing/product-lines.ts'
import { readSource } from '../publishing/read-source.ts'
import { renderPosts } from '../publishing/render-posts.ts'
import { getOffers, getSkills } from '../publishing/skills.ts'
import { toPostLine, toPostTwin } from '../publishing/twins/post-twin.ts'
import { toTagTwins } from '../publishing/twins/tag-twins.ts'
import type { Twin } from '../publishing/twins/twin.ts'
import { shop } from '../site-context.ts'

async function makeTwins(): Promise<Twin[]> {
  const [posts, skills, offers, pages, products] = await Promise.all([
    renderPosts(),
    getSkills(),
    getOffers(),
    getCollection('pages'),
    getProductLines(),
  ])
  const postTwins = posts.map(toPostTwin)
  const changes = postTwins.flatMap(({ updatedAt }) => (updatedAt ? [updatedAt.getTime()] : []))
  const updatedAt = changes.length > 0 ? new Date(Math.max(...changes)) : undefined
  const shown = { posts: posts.map(toPostLine), offers, updatedAt }
  const pageTwins = pages.map(async (page): Promise<Twin> => {
    const markdown = mdxToMarkdown((await readSource(page)).toString(), products)
    const { title, excerpt, updatedAt } = page.data
    const body = page.id === 'agents' ? toSections(markdown, toProductTable(offers)) : markdown
    return { path: `/${page.id}`, title, summary: excerpt, body, updatedAt }
  })
  return [
    toHomeTwin(shown),
    ...toListTwins(shown),
    ...postTwins,
    ...toTagTwins(posts),
    ...skills.map((skill) => toSkillTwin(skillOffer(skill), skill, shop.baseUrl)),
    // All the writing changes with the writing; a hosted API has no date.
    ...offers
      .filter(({ lane }) => lane === 'hostedApi' || lane === 'content')
      .map((offer) => toApiTwin(offer, shop.baseUrl, offer.lane === 'content' ? updatedAt : undefined)),
    ...(await Promise.all(pageTwins)),
    toGuideTwin(toGuide(offers, shop.baseUrl, site.name)),
    podcastTwin,
    searchTwin,
    ...toProblemTwins(),
  ]
}

let twins: Promise<Twin[]> | undefined

/** Every page that has a markdown twin, with its text. Build-time only. */
export function getTwins(): Promise<Twin[]> {
  if (import.meta.env.DEV) return makeTwins()
  twins ??= makeTwins()
  return twins
}
