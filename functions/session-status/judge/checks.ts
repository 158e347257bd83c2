import type { SurfacePath } from '../probe/surface-paths.ts'
import { nameOf } from '../read/body-kind.ts'
import { type Answered, findAnswer, presence, type Site } from '../read/seen.ts'
import type { AdviceId } from './advice-table.ts'

export type Severity = 'info' | 'low' | 'medium' | 'high'
type Area = 'delivery' | 'front page' | 'crawling' | 'feeds' | 'texts for models' | 'selling' | 'access'

/** One check of the diagnosis. */
export interface Check {
  readonly surface: SurfacePath
  readonly area: Area
  /** Points for the score; a check with 0 is only reported. */
  readonly points: number
  readonly severity: Severity
  /** The title of the finding when the check fails. */
  readonly title: string
  readonly advice: AdviceId
  /** Counts only if the site has what is checked: not every site sells something. */
  readonly isOptional?: true
}

const define = <Id extends string>(checks: Record<Id, Check>): Readonly<Record<Id, Check>> => checks

const check = (
  [surface, area]: readonly [SurfacePath, Area],
  points: number,
  severity: Severity,
  title: string,
  advice: Check['advice'],
): Check => ({ surface, area, points, severity, title, advice })
const optional = (one: Check): Check => ({ ...one, isOptional: true })

const delivery = ['/', 'delivery'] as const
const front = ['/', 'front page'] as const
const robots = ['/robots.txt', 'crawling'] as const
const sitemap = ['/sitemap.xml', 'crawling'] as const
const rss = ['/rss.xml', 'feeds'] as const
const jsonFeed = ['/feed.json', 'feeds'] as const
const llms = ['/llms.txt', 'texts for models'] as const
const llmsFull = ['/llms-full.txt', 'texts for models'] as const
const skills = ['/skills.json', 'selling'] as const
const catalog = ['/api/catalog.json', 'selling'] as const
const admin = ['/_cms/admin/', 'access'] as const
const mcp = ['/_cms/api/mcp', 'access'] as const
const metadata = ['/.well-known/oauth-protected-resource', 'access'] as const

/** Everything the diagnosis looks at. Score, findings and recommendations derive from it. */
export const checks = define({
  'site-down': check(delivery, 0, 'high', 'Nothing answers', 'bring-up'),
  'front-missing': check(delivery, 5, 'high', 'There is no front page', 'write-front-page'),
  'front-fails': check(delivery, 5, 'high', 'The front page cannot be read', 'bring-up'),
  'front-redirects': check(delivery, 1, 'low', 'The front page is behind several redirects', 'redirect-once'),
  'server-errors': check(delivery, 2, 'high', 'Some paths answer with a server error', 'mend-server-errors'),
  'turned-away': check(delivery, 2, 'medium', 'Some paths turn an honest program away', 'let-programs-in'),
  'silent-paths': check(delivery, 2, 'medium', 'Some paths did not answer', 'answer-all-paths'),
  'soft-404': check(delivery, 5, 'high', 'Missing pages are answered as if they existed', 'answer-404'),
  slow: check(delivery, 2, 'low', 'Answers are slow', 'answer-sooner'),
  'no-hsts': check(delivery, 1, 'low', 'Browsers are not told to stay with https', 'send-hsts'),
  'no-compression': check(delivery, 1, 'low', 'The front page is sent uncompressed', 'compress'),
  'no-validators': check(delivery, 1, 'low', 'The front page cannot be asked for again cheaply', 'cache'),

  'front-default': check(front, 4, 'medium', 'The front page is the web server’s own', 'publish-something'),
  'front-no-title': check(front, 3, 'medium', 'The front page has no title', 'describe-front-page'),
  'front-no-description': check(front, 3, 'low', 'The front page does not say what the site is', 'describe-front-page'),
  'front-no-lang': check(front, 2, 'low', 'The language of the front page is not said', 'describe-front-page'),
  'front-no-text': check(front, 5, 'medium', 'Without scripts the front page is empty', 'send-text'),
  'front-noindex': check(front, 4, 'high', 'The front page asks not to be indexed', 'allow-indexing'),
  'front-no-feed-link': check(front, 2, 'low', 'The front page does not lead to a feed', 'announce-feeds'),
  'front-no-structured-data': check(front, 2, 'info', 'There is no structured data', 'add-structured-data'),
  'front-broken-structured-data': check(front, 1, 'medium', 'Structured data is not JSON', 'add-structured-data'),
  'front-vague-structured-data': optional(
    check(front, 1, 'low', 'Structured data leaves open what it means', 'add-structured-data'),
  ),
  'front-no-link-header': check(front, 3, 'low', 'No Link header leads a program onward', 'send-link-headers'),
  'front-no-markdown': check(front, 3, 'low', 'Nothing says that there is markdown', 'offer-markdown'),

  'robots-missing': check(robots, 4, 'medium', 'There is no robots.txt', 'write-robots'),
  'robots-not-text': check(robots, 1, 'medium', 'robots.txt is not plain text', 'write-robots'),
  'robots-no-group': check(robots, 2, 'medium', 'robots.txt addresses nobody', 'write-robots'),
  'robots-blocks-all': check(robots, 5, 'high', 'robots.txt keeps everybody out', 'open-robots'),
  'robots-hides': check(robots, 2, 'medium', 'robots.txt hides what is made for crawlers', 'open-robots'),
  'robots-contradicts': check(robots, 2, 'medium', 'A group of robots.txt contradicts itself', 'settle-robots'),
  'robots-forgets': check(robots, 1, 'info', 'A group of robots.txt leaves out what the others keep', 'repeat-rules'),
  'robots-lost-lines': check(robots, 1, 'low', 'Lines of robots.txt mean nothing', 'settle-robots'),
  'robots-no-sitemap': check(robots, 2, 'low', 'robots.txt does not name the sitemap', 'name-sitemap'),
  'robots-no-ai-rules': check(robots, 2, 'low', 'No AI crawler is addressed by name', 'address-ai-crawlers'),
  'robots-no-signals': check(robots, 2, 'low', 'Nothing says what the texts may be used for', 'send-content-signals'),

  'sitemap-missing': check(sitemap, 4, 'medium', 'There is no sitemap.xml', 'write-sitemap'),
  'sitemap-broken': check(sitemap, 4, 'medium', 'sitemap.xml is not a sitemap', 'write-sitemap'),
  'sitemap-namespace': check(sitemap, 1, 'medium', 'The sitemap has the wrong namespace', 'write-sitemap'),
  'sitemap-empty': check(sitemap, 2, 'medium', 'The sitemap lists nothing', 'write-sitemap'),
  'sitemap-elsewhere': check(sitemap, 1, 'low', 'The sitemap lists addresses of another site', 'write-sitemap'),
  'sitemap-no-dates': check(sitemap, 1, 'info', 'The sitemap does not say when pages changed', 'date-sitemap'),
  'sitemap-not-pages': check(sitemap, 1, 'low', 'The sitemap lists what is no page', 'mend-sitemap'),
  'sitemap-dates': check(sitemap, 1, 'low', 'Dates of the sitemap cannot be right', 'date-sitemap'),
  'sitemap-type': check(sitemap, 1, 'low', 'The sitemap has the wrong type', 'label-types'),

  'rss-missing': check(rss, 3, 'low', 'There is no feed at /rss.xml', 'write-rss'),
  'rss-broken': check(rss, 3, 'medium', 'The feed at /rss.xml cannot be read', 'mend-rss'),
  'rss-empty': check(rss, 1, 'low', 'The feed at /rss.xml has no entries', 'mend-rss'),
  'rss-entries': check(rss, 2, 'low', 'Entries of /rss.xml lack a title, an id or a link', 'mend-rss'),
  'rss-channel': check(rss, 2, 'medium', 'The feed at /rss.xml does not introduce itself', 'mend-rss'),
  'rss-self': check(rss, 1, 'low', '/rss.xml does not say its own address', 'mend-rss'),
  'rss-namespaces': check(rss, 1, 'medium', 'A namespace of /rss.xml is misspelt', 'mend-rss'),
  'rss-ids': check(rss, 2, 'medium', 'Ids of /rss.xml are not ids', 'mend-rss'),
  'rss-addresses': check(rss, 2, 'medium', 'Addresses in /rss.xml lead nowhere from elsewhere', 'mend-rss'),
  'rss-titles': check(rss, 1, 'low', 'Titles of /rss.xml show their markup', 'mend-rss'),
  'rss-dates': check(rss, 1, 'low', 'Dates of /rss.xml cannot be right', 'mend-rss'),
  'rss-enclosures': optional(check(rss, 2, 'medium', 'Recordings in /rss.xml cannot be loaded', 'mend-rss')),
  'rss-podcast': optional(check(rss, 1, 'low', 'Podcast directories would refuse /rss.xml', 'mend-podcast')),
  'rss-no-validators': check(rss, 1, 'low', 'Each poll of /rss.xml downloads all of it', 'cache-documents'),
  'rss-type': check(rss, 1, 'low', '/rss.xml has the wrong type', 'label-types'),
  'json-feed-missing': check(jsonFeed, 2, 'info', 'There is no JSON Feed', 'write-json-feed'),
  'json-feed-broken': check(jsonFeed, 2, 'medium', 'feed.json is not a JSON Feed', 'mend-json-feed'),
  'json-feed-ids': check(jsonFeed, 1, 'medium', 'Ids of feed.json are not ids', 'mend-json-feed'),
  'json-feed-addresses': check(
    jsonFeed,
    1,
    'low',
    'Addresses in feed.json lead nowhere from elsewhere',
    'mend-json-feed',
  ),
  'json-feed-dates': check(jsonFeed, 1, 'low', 'Dates of feed.json cannot be right', 'mend-json-feed'),
  'json-feed-type': check(jsonFeed, 1, 'low', 'feed.json has the wrong type', 'label-types'),

  'llms-missing': check(llms, 5, 'medium', 'There is no llms.txt', 'write-llms'),
  'llms-not-text': check(llms, 2, 'medium', 'llms.txt is not a text', 'write-llms'),
  'llms-no-heading': check(llms, 2, 'medium', 'llms.txt does not begin with a heading', 'improve-llms'),
  'llms-no-summary': check(llms, 2, 'low', 'llms.txt does not say what the site is', 'improve-llms'),
  'llms-no-sections': check(llms, 1, 'low', 'llms.txt is not divided into sections', 'improve-llms'),
  'llms-no-links': check(llms, 3, 'medium', 'llms.txt leads nowhere', 'improve-llms'),
  'llms-pages': check(llms, 1, 'info', 'llms.txt leads to pages rather than to texts', 'improve-llms'),
  'llms-rules': check(llms, 1, 'low', 'llms.txt has rules for crawlers', 'improve-llms'),
  'llms-no-validators': check(llms, 1, 'low', 'Nobody can tell cheaply whether llms.txt changed', 'cache-documents'),
  'llms-too-long': check(llms, 1, 'low', 'llms.txt is too long to be a table of contents', 'improve-llms'),
  'llms-full-missing': check(llmsFull, 2, 'info', 'The texts are not offered in one document', 'write-llms-full'),
  'llms-full-not-text': check(llmsFull, 1, 'medium', 'llms-full.txt is not a text', 'write-llms-full'),
  'llms-full-terms': optional(
    check(llmsFull, 4, 'high', 'llms-full.txt asks for money that nobody can pay', 'mend-402'),
  ),

  'skills-broken': optional(check(skills, 3, 'medium', 'skills.json is not a list of skills', 'mend-skills')),
  'skills-count': optional(check(skills, 1, 'low', 'skills.json miscounts its entries', 'mend-skills')),
  'catalog-broken': optional(check(catalog, 3, 'medium', 'catalog.json cannot be read', 'mend-catalog')),
  'catalog-terms': optional(check(catalog, 3, 'medium', 'Entries of catalog.json cannot be bought', 'mend-catalog')),

  'admin-exposed': check(admin, 5, 'high', 'The admin interface opens without a login', 'close-admin'),
  'admin-shell': check(admin, 1, 'medium', 'The admin interface answers without a login', 'guard-admin-shell'),
  'mcp-open': check(mcp, 5, 'high', 'The MCP endpoint of the CMS answers without a token', 'close-mcp'),
  'mcp-no-metadata': optional(
    check(mcp, 2, 'low', 'The MCP endpoint does not say where to get a token', 'announce-metadata'),
  ),
  'metadata-missing': optional(
    check(metadata, 3, 'medium', 'Nothing says who issues tokens for the MCP endpoint', 'write-metadata'),
  ),
  'metadata-broken': optional(
    check(metadata, 3, 'medium', 'The protected-resource metadata is wrong', 'write-metadata'),
  ),
  'metadata-closed': optional(
    check(metadata, 1, 'low', 'Programs in browsers cannot read the protected-resource metadata', 'open-metadata'),
  ),
})

export type CheckId = keyof typeof checks

/**
 * The result of one check. A check without a result counts as failed (what it checks is missing), unless it is
 * optional: then it does not count.
 */
export interface Judgement {
  readonly id: CheckId
  readonly isGood: boolean
  /** What was seen, in a sentence. */
  readonly detail: string
  /** The path where it was seen, if it differs from the path of the check. */
  readonly surface?: SurfacePath
}

/** @example judge('robots-missing', false, 'GET /robots.txt answered 404.') */
export const judge = (id: CheckId, isGood: boolean, detail: string, surface?: SurfacePath): Judgement => ({
  id,
  isGood,
  detail,
  ...(surface && { surface }),
})

/** Whether there is a document at a path, and what `judgeIt` says of it; nothing without a usable response. */
export function judgeDocument(
  site: Site,
  path: SurfacePath,
  missing: CheckId,
  judgeIt: (answer: Answered) => Judgement[],
): Judgement[] {
  const seen = site.get(path)
  if (presence(seen) === 'absent') return [judge(missing, false, `There is nothing at ${path}.`)]
  const answer = findAnswer(seen)
  return answer ? [judge(missing, true, ''), ...judgeIt(answer)] : []
}

/** A failed check for a body of the wrong kind. */
export const judgeKind = (id: CheckId, answer: Answered): Judgement =>
  judge(id, false, `The body is ${nameOf(answer)}.`)

/** Whether the Content-Type of a document is right. */
export function judgeType(id: CheckId, { fetched }: Answered, right: RegExp): Judgement {
  const type = fetched.headers.get('content-type') ?? ''
  return judge(id, right.test(type), `Its Content-Type is ${type || 'missing'}.`)
}

/**
 * Whether a client that has the document can find out cheaply whether it changed: by ETag, Last-Modified or a max-age
 * below an hour.
 */
export function judgeValidators(id: CheckId, { fetched: { headers } }: Answered): Judgement {
  const [, age = ''] = /\bmax-age=(\d{1,9})/i.exec(headers.get('cache-control') ?? '') ?? []
  const isShort = age !== '' && Number(age) < 3600
  const has = headers.has('etag') || headers.has('last-modified') || isShort
  return judge(id, has, 'It has neither ETag nor Last-Modified, and no max-age below an hour.')
}
