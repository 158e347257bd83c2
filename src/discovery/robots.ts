import type { Crawler } from '../publishing/crawlers-schema.ts'

/** What the publisher lets crawlers do (see `site.config.ts`). */
export interface CrawlerPolicy {
  readonly allowSearch: boolean
  readonly blockTraining: boolean
}

type Wish = 'search' | 'training' | 'reading'

/**
 * What a crawler of each kind wants a page for. Fetching for a person who asked, and agents that act for one, are
 * readers, as are those that draw a preview or check an advertisement.
 */
const wishes: Readonly<Record<Crawler['category'], Wish>> = {
  search: 'search',
  training: 'training',
  control_token: 'training',
  data_collection: 'training',
  user_fetch: 'reading',
  agent: 'reading',
  ads: 'reading',
  preview: 'reading',
}

const headings: Readonly<Record<Wish, string>> = {
  search: 'Search engines for people and models',
  training: 'Collecting for models and data sets',
  reading: 'Fetching a page because somebody asked for it',
}

/** A product token (RFC 9309), and the digits and dots that exist in spite of it; others cannot be named in a group. */
const isToken = (userAgent: string): boolean => /^[A-Za-z0-9_.-]+$/.test(userAgent)

const yesNo = (isAllowed: boolean): string => (isAllowed ? 'yes' : 'no')

/**
 * `/robots.txt` (RFC 9309) with Content Signals. Groups do not inherit, so each repeats the signals. What is sold is
 * not hidden: it answers 402 with its price, which is what a buying agent comes for.
 */
export function toRobots(crawlers: readonly Crawler[], policy: CrawlerPolicy, baseUrl: string): string {
  const isAllowed: Readonly<Record<Wish, boolean>> = {
    search: policy.allowSearch,
    training: !policy.blockTraining,
    reading: true,
  }
  const signal = `Content-Signal: search=${yesNo(isAllowed.search)}, ai-input=yes, ai-train=${yesNo(isAllowed.training)}`
  const toGroup = (wish: Wish): string[] => {
    const named = crawlers
      .filter(({ category }) => wishes[category] === wish)
      .flatMap(({ userAgent, aliases }) => [userAgent, ...aliases])
      .filter(isToken)
    if (named.length === 0) return []
    const lines = new Set(named.map((userAgent) => `User-agent: ${userAgent}`))
    return [`# ${headings[wish]}`, ...lines, signal, `${isAllowed[wish] ? 'Allow' : 'Disallow'}: /`, '']
  }
  return [
    '# Everyone may read. Everything for programs is listed in /llms.txt and /api/catalog.json.',
    'User-agent: *',
    signal,
    'Allow: /',
    '',
    ...toGroup('reading'),
    ...toGroup('search'),
    ...toGroup('training'),
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
