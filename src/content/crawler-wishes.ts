import type { Crawler } from './crawlers-schema.ts'

/** What a crawler wants a page for. */
export type Wish = 'search' | 'training' | 'reading'

/**
 * What crawlers of each category want a page for. Fetchers and agents that act for a person count as readers, and so do
 * crawlers that make link previews or check advertisements.
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

/**
 * Whether a name can be used in a group of robots.txt: a product token (RFC 9309, section 2.2.1), extended by digits
 * and dots, which real crawlers use.
 */
const isToken = (userAgent: string): boolean => /^[A-Za-z0-9_.-]+$/.test(userAgent)

/** The `User-agent` lines of robots.txt for the crawlers with one of these purposes, with their aliases; each once. */
export const toUserAgentLines = (crawlers: readonly Crawler[], ...wanted: readonly Wish[]): string[] => {
  const names = crawlers
    .filter(({ category }) => wanted.includes(wishes[category]))
    .flatMap(({ userAgent, aliases }) => [userAgent, ...aliases])
  return [...new Set(names.filter(isToken))].map((name) => `User-agent: ${name}`)
}
