/** What to do about a finding. */
export interface Advice {
  readonly title: string
  /** What is to be changed: a file by its path, or the part of the site that nobody names the same. */
  readonly file:
    | 'index.html'
    | 'robots.txt'
    | 'sitemap.xml'
    | 'llms.txt'
    | 'llms-full.txt'
    | 'rss.xml'
    | 'feed.json'
    | 'skills.json'
    | 'api/catalog.json'
    | '.well-known/oauth-protected-resource'
    | 'page template'
    | 'server configuration'
    | 'server program'
  readonly fix: string
  readonly specUrls: readonly string[]
  /** Slug of the skill that goes into it. */
  readonly skill?: string
}

/** A table of advice, by what it does. */
export const defineAdvice = <Id extends string>(table: Record<Id, Advice>): Readonly<Record<Id, Advice>> => table
