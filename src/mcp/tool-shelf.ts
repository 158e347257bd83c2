import { toolRetryRule } from '../core/buying-rules.ts'
import { toDisplay } from '../core/money.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'

/** A line of the list of tools, for pages and for programs that have not connected yet. */
export interface ShelvedTool {
  readonly name: string
  readonly title: string
  /** What it does. */
  readonly about: string
  /** As people read it; absent on free tools. */
  readonly price?: string
}

interface PaidTool extends ShelvedTool {
  /** For models: what it does and what it costs. */
  readonly description: string
  readonly price: string
}

/** The free tools by name. */
export const freeShelf = {
  search_posts: {
    title: 'Search the posts',
    about: 'Full-text search in everything published here. Read what you find with get_post.',
  },
  get_post: {
    title: 'Read a post',
    about: 'The whole post as markdown.',
  },
  search_transcripts: {
    title: 'Search the narrations',
    about:
      'Search in what is said in the narrations of posts: sentences with their second, and a link that plays from there.',
  },
  list_products: {
    title: 'See what is for sale',
    about: 'Every product with its price and the tool that sells it.',
  },
  get_product_preview: {
    title: 'Look at a product',
    about: 'What a product is, what it takes, a sample, and of a skill its opening, as markdown.',
  },
  get_catalog: {
    title: 'Get the catalog',
    about: 'Everything for sale with exact x402 terms, and pointers to every other document, as one JSON document.',
  },
  get_stats: {
    title: 'See what was sold',
    about: 'Sales so far, by product and by day.',
  },
  library: {
    title: 'See what your wallet bought',
    about:
      'What a wallet bought here, with receipts, downloads and new versions. With its address alone you get a message; sign it as it is (personal_sign) and call again with message and signature. To fetch one product again call its paid tool: an owner is not charged.',
  },
} as const

/** The tool that sells every skill: one with a choice is found sooner than many that differ by a name. */
const skillTool = 'buy_skill'

/** The name of the tool that sells an offer. */
export const toToolName = ({ lane, slug }: Pick<Offer, 'lane' | 'slug'>): string =>
  lane === 'skill' ? skillTool : slug.replaceAll('-', '_')

const unpaid = `Called without payment it answers the terms (x402) and charges nothing. ${toolRetryRule}`
const binary: Readonly<Record<string, string>> = {
  'image/jpeg': ' Answers with an image.',
  'audio/mpeg':
    ' Answers with a sound; one of more than 4 MiB is left at its HTTP address, where the same payment fetches it.',
}

/** What a tool that sells says of itself. */
export function toPaidTool(offer: Offer): PaidTool {
  const { price } = offer
  const about = `${offer.excerpt}${binary[offer.mimeType] ?? ''}`
  const cost =
    typeof price === 'bigint'
      ? toDisplay(price)
      : `${toDisplay(price.from)} to ${toDisplay(price.most)} (${price.rule})`
  return {
    name: toToolName(offer),
    title: `${offer.title} (${priceText(offer)})`,
    about,
    description: `${about} Costs ${cost} in USDC. ${unpaid}`,
    price: priceText(offer),
  }
}

/** The same for all skills together; undefined when there is none. */
export function toSkillTool(offers: readonly Offer[]): PaidTool | undefined {
  const skills = offers.filter(({ lane }) => lane === 'skill')
  const [first] = skills
  if (!first) return undefined
  const list = skills.map(({ slug, title }) => `${slug} (${title})`).join('; ')
  return {
    name: skillTool,
    title: `Buy a skill (${priceText(first)})`,
    about: `Delivers one SKILL.md, whole: ${skills.map(({ slug }) => slug).join(', ')}.`,
    description: `Delivers one SKILL.md, whole. Costs ${priceText(first)} in USDC. ${unpaid} Skills: ${list}. get_product_preview shows how each begins, free.`,
    price: priceText(first),
  }
}

/** Every tool that sells, in the order of the catalog. */
export function toPaidShelf(offers: readonly Offer[]): readonly ShelvedTool[] {
  const skills = toSkillTool(offers)
  return [...(skills ? [skills] : []), ...offers.filter(({ lane }) => lane !== 'skill').map(toPaidTool)]
}

/** The markdown of the free page about an offer. */
export const previewPath = (offer: Offer): string => `${pagePath(offer)}.md`
