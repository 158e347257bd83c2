import type { Crawler } from './crawlers-schema.ts'

/** What a crawler wants a page for. */
export type Wish = 'search' | 'training' | 'reading'

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

/** A product token (RFC 9309), and the digits and dots that exist in spite of it; others cannot be named in a group. */
const isToken = (userAgent: string): boolean => /^[A-Za-z0-9_.-]+$/.test(userAgent)

/** The lines of robots.txt that name the crawlers with one of these wishes, aliases included; each once. */
export const toUserAgentLines = (crawlers: readonly Crawler[], ...wanted: readonly Wish[]): string[] => {
  const names = crawlers
    .filter(({ category }) => wanted.includes(wishes[category]))
    .flatMap(({ userAgent, aliases }) => [userAgent, ...aliases])
  return [...new Set(names.filter(isToken))].map((name) => `User-agent: ${name}`)
}
