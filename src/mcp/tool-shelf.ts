import { toolRetryHint } from '../core/buying-rules.ts'
import { toDisplay } from '../core/money.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'

/** An entry in the list of tools, for pages and for programs that have not connected yet. */
export interface ShelvedTool {
  readonly name: string
  readonly title: string
  /** What it does. */
  readonly about: string
  /** The price for people; absent for free tools. */
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
    about: 'Finds posts by the words in them. Read what you find with get_post.',
  },
  get_post: {
    title: 'Read a post',
    about: 'One whole post as markdown.',
  },
  search_transcripts: {
    title: 'Search the narrations',
    about: 'Finds sentences that are spoken in the recordings of posts, with links that play from there.',
  },
  list_products: {
    title: 'See what is for sale',
    about: 'Everything for sale with its price and the tool that sells it.',
  },
  get_product_preview: {
    title: 'Look at a product',
    about: 'One product before you buy it: its input, a sample, and how a skill begins.',
  },
  get_sales_statistics: {
    title: 'See what was sold',
    about: 'What this shop has sold, by product and by day.',
  },
  library: {
    title: 'See what your wallet bought',
    about:
      'What a wallet bought. Give its address, sign the message you get (personal_sign), and call again with message and signature. Owners are not charged again.',
  },
} as const

/** The one tool that sells all skills: models find one tool with a choice sooner than many with similar names. */
const skillTool = 'buy_skill'

/** The name of the tool that sells an offer. */
export const toToolName = ({ lane, slug, tool }: Pick<Offer, 'lane' | 'slug' | 'tool'>): string =>
  lane === 'skill' ? skillTool : (tool ?? slug.replaceAll('-', '_'))

const toCost = (price: string): string => `${price} in USDC by x402; ${toolRetryHint}`

/** The description of the tool that sells an offer. */
export function toPaidTool(offer: Offer): PaidTool {
  const { price } = offer
  const about = offer.excerpt
  const cost = typeof price === 'bigint' ? toDisplay(price) : price.rule
  return {
    name: toToolName(offer),
    title: `${offer.title} (${priceText(offer)})`,
    about,
    description: `${about} ${toCost(cost)}`,
    price: priceText(offer),
  }
}

/** The description of the tool that sells all skills; undefined when there are none. */
export function toSkillTool(offers: readonly Offer[]): PaidTool | undefined {
  const skills = offers.filter(({ lane }) => lane === 'skill')
  const [first] = skills
  if (!first) return undefined
  return {
    name: skillTool,
    title: `Buy a skill (${priceText(first)})`,
    about: `Delivers one whole SKILL.md: ${skills.map(({ slug }) => slug).join(', ')}.`,
    description: `Delivers one whole SKILL.md: instructions that teach an agent a skill. ${toCost(priceText(first))}`,
    price: priceText(first),
  }
}

/** All paid tools, in the order of the catalog. */
export function toPaidShelf(offers: readonly Offer[]): readonly ShelvedTool[] {
  const skills = toSkillTool(offers)
  return [...(skills ? [skills] : []), ...offers.filter(({ lane }) => lane !== 'skill').map(toPaidTool)]
}

/** The path of the markdown of the free page about an offer. */
export const previewPath = (offer: Offer): string => `${pagePath(offer)}.md`
