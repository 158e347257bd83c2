import site from '../../site.config.ts'
import type { Alternate } from '../core/alternate.ts'
import { toInline, toLinkList, toSections, toTable } from '../core/markdown.ts'
import { problemKinds } from '../core/problem-kinds.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'
import { toProductLine } from './product-alternate.ts'

/** The entry of a page in a list. */
interface Line {
  readonly title: string
  readonly path: string
  readonly about: string
}

interface Shown {
  readonly posts: readonly Line[]
  readonly offers: readonly Offer[]
  /** When a post was last published or changed. */
  readonly updatedAt: Date | undefined
}

const newest = 7
const linesOf = (offers: readonly Offer[], lane: Offer['lane']): string =>
  toLinkList(offers.filter((offer) => offer.lane === lane).map(toProductLine))

const noSkills = 'No skills are for sale here. [What else is](/apis)'

/** The front page: the newest posts and everything for sale. */
export const toHomeAlternate = ({ posts, offers, updatedAt }: Shown): Alternate => ({
  path: '/',
  title: site.name,
  summary: site.description,
  updatedAt,
  body: toSections(
    `## Latest posts\n\n${toLinkList(posts.slice(0, newest)) || 'Nothing is published yet.'}`,
    posts.length > newest && `[All ${posts.length} posts](/posts)`,
    '## Shop',
    'Paid per request in USDC, by people and by programs, without an account. [How paying works](/agents)',
    linesOf(offers, 'skill') && `### [Skills for agents](/skills)\n\n${linesOf(offers, 'skill')}`,
    `### [APIs](/apis)\n\n${linesOf(offers, 'hostedApi')}`,
    `### All posts in one file\n\n${linesOf(offers, 'content')}`,
  ),
})

/** The latest publication date among the products of a lane; undefined when none has a date. */
function newestOf(offers: readonly Offer[], lane: Offer['lane']): Date | undefined {
  const dates = offers.flatMap((offer) => (offer.lane === lane && offer.publishedAt ? [offer.publishedAt] : []))
  const last = dates.toSorted().at(-1)
  return last === undefined ? undefined : new Date(last)
}

/** The page of the podcast. Episodes are added while the site runs, so only the feed lists them. */
export const podcastAlternate: Alternate = {
  path: '/podcast',
  title: 'Podcast',
  summary: 'The posts, read aloud, with a transcript that follows every sentence.',
  body: [
    'Episodes: [/podcast.xml](/podcast.xml), an RSS feed with the sound, the transcript (WebVTT and JSON) and the chapters of each.',
    'What was said is searched at `/api/transcripts/search.json?q=`, which answers sentences with their times.',
  ].join('\n\n'),
}

/** The lists of posts, skills and APIs. */
export const toListAlternates = ({ posts, offers, updatedAt }: Shown): Alternate[] => [
  {
    path: '/posts',
    title: 'Posts',
    summary: 'Everything published here, newest first. All of it is free to read.',
    updatedAt,
    body: toLinkList(posts) || 'Nothing is published yet.',
  },
  {
    path: '/skills',
    title: 'Skills',
    updatedAt: newestOf(offers, 'skill'),
    summary:
      'Each is one markdown file that teaches an agent one thing, in the Agent Skills format. The opening of each is free to read.',
    body: toSections(linesOf(offers, 'skill') || noSkills, 'For programs: [/skills.json](/skills.json)'),
  },
  {
    path: '/apis',
    title: 'APIs',
    summary: 'One call, one result, one small price. No account, no key, nothing to cancel.',
    body: toSections(
      linesOf(offers, 'hostedApi'),
      '## All posts in one file',
      'Every post is free to read on its own page. These save a program from collecting them.',
      linesOf(offers, 'content'),
      'For programs: [/api/catalog.json](/api/catalog.json), [/openapi.json](/openapi.json)',
    ),
  },
]

/** A table of all products, for the end of the page for agents. */
export const toProductTable = (offers: readonly Offer[]): string =>
  toSections(
    '## Everything for sale',
    toTable(
      ['Product', 'Price', 'Request', 'Answer'],
      offers.map((offer) => [
        `[${toInline(offer.title)}](${pagePath(offer)})`,
        priceText(offer),
        `\`${offer.method} ${offer.path}\``,
        offer.mimeType,
      ]),
    ),
  )

/** The search page, which explains how to search without a browser. */
export const searchAlternate: Alternate = {
  path: '/search',
  title: 'Search',
  summary: 'Search in everything published here.',
  body: toSections(
    'Programs search with one GET request and get JSON, best matches first:',
    '- [/api/search.json?q=payment&limit=5](/api/search.json?q=payment&limit=5)',
    'Every term must match, the last one also as the beginning of a word. `collections=posts` or `collections=pages` searches in one of them; `kinds=skill,hostedApi` finds only what is of these kinds: post, page, skill, hostedApi, content.',
  ),
}

/** The list of all errors that the site answers with, and a page for each. */
export const toProblemAlternates = (): Alternate[] => [
  {
    path: '/problems',
    title: 'Errors',
    summary: 'Every error this site answers, and what to do about it.',
    body: toSections(
      'Errors are JSON documents (RFC 9457) whose type is one of these pages. On paid routes they say whether you were charged.',
      '> 5xx or a lost connection: resend the same signature. 402: sign a new one.',
      toTable(
        ['Status', 'Kind', 'Meaning'],
        Object.entries(problemKinds).map(([kind, { status, title }]) => [
          String(status),
          `[${kind}](/problems/${kind})`,
          title,
        ]),
      ),
    ),
  },
  ...Object.entries(problemKinds).map(
    ([kind, { status, title, advice }]): Alternate => ({
      path: `/problems/${kind}`,
      title,
      summary: `${status} ${kind}: ${title}`,
      body: `## What to do\n\n${advice}`,
    }),
  ),
]
