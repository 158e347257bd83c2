/** What to do about a finding. */
export interface Advice {
  readonly title: string
  /** What has to be changed: a file, or a part of the site whose name differs from site to site. */
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
  /** Slug of the skill that explains it in depth. */
  readonly skill?: string
}

/** Types a table of advice by its ids. */
export const defineAdvice = <Id extends string>(table: Record<Id, Advice>): Readonly<Record<Id, Advice>> => table
