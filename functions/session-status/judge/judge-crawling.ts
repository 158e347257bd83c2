import { nameOf } from '../read/body-kind.ts'
import { readRobots } from '../read/read-robots.ts'
import { localName, readXml } from '../read/read-xml.ts'
import type { Answered, Site } from '../read/seen.ts'
import { type Judgement, judge, judgeDocument, judgeKind, judgeType } from './checks.ts'

/** Well-known ones; a site that addresses any of them has thought about it. */
const aiCrawlers = [
  ...['gptbot', 'oai-searchbot', 'chatgpt-user', 'claudebot', 'claude-user', 'claude-searchbot', 'anthropic-ai'],
  ...['perplexitybot', 'perplexity-user', 'google-extended', 'applebot-extended', 'ccbot', 'bytespider', 'amazonbot'],
  ...['meta-externalagent', 'mistralai-user', 'cohere-ai', 'duckassistbot'],
]
const xmlTypes = /^(?:application|text)\/xml|\+xml/i

/** robots.txt and the sitemap. */
export const judgeCrawling = (site: Site): Judgement[] => [
  ...judgeDocument(site, '/robots.txt', 'robots-missing', judgeRobots),
  ...judgeDocument(site, '/sitemap.xml', 'sitemap-missing', judgeSitemap),
]

function judgeRobots(answer: Answered): Judgement[] {
  if (answer.kind !== 'text' && answer.kind !== 'empty')
    return [judge('robots-not-text', false, `The body is ${nameOf(answer)}, so crawlers find no rules in it.`)]
  const { groups, sitemaps } = readRobots(answer.text)
  const everybody = groups.filter(({ agents }) => agents.includes('*'))
  const isClosed = everybody.some(
    ({ disallowed, allowed }) => disallowed.some((rule) => rule === '/' || rule === '/*') && allowed.length === 0,
  )
  const named = aiCrawlers.filter((name) => groups.some(({ agents }) => agents.includes(name)))
  return [
    judgeType('robots-not-text', answer, /^text\/plain/i),
    judge('robots-no-group', groups.length > 0, 'It has no User-agent line.'),
    judge('robots-blocks-all', !isClosed, 'The group User-agent: * disallows / and allows nothing.'),
    judge('robots-no-sitemap', sitemaps.some(isAbsolute), 'It has no Sitemap line with a full address.'),
    judge('robots-no-ai-rules', named.length > 0, `None of ${aiCrawlers.length} well-known AI crawlers is named.`),
    judge(
      'robots-no-signals',
      groups.some(({ signals }) => signals.some((signal) => /(?:search|ai-input|ai-train)\s*=/i.test(signal))),
      'No group has a Content-Signal line.',
    ),
  ]
}

function judgeSitemap(answer: Answered): Judgement[] {
  if (answer.kind !== 'xml') return [judgeKind('sitemap-broken', answer)]
  const xml = readXml(answer.text, answer.fetched.isCut)
  if (xml.is === 'broken') return [judge('sitemap-broken', false, `It is not well-formed: ${xml.why}.`)]
  const root = localName(xml.root)
  if (root !== 'urlset' && root !== 'sitemapindex')
    return [judge('sitemap-broken', false, 'Its root element is neither urlset nor sitemapindex.')]
  const isLeaf = (name: string) => (path: string) => path.split('/').length === 3 && localName(path) === name
  const locs = xml.elements.filter(({ path }) => isLeaf('loc')(path)).map(({ text }) => text)
  const dates = xml.elements.filter(({ path }) => isLeaf('lastmod')(path))
  const { origin } = new URL(answer.fetched.url)
  const strangers = locs.filter((loc) => !URL.canParse(loc) || new URL(loc).origin !== origin)
  return [
    judge('sitemap-broken', true, ''),
    judge('sitemap-empty', locs.length > 0, 'It has no loc.'),
    judge(
      'sitemap-elsewhere',
      strangers.length === 0,
      `${strangers.length} of ${locs.length} are not below ${origin}.`,
    ),
    judge('sitemap-no-dates', dates.length > 0, `None of its ${locs.length} entries has a lastmod.`),
    judgeType('sitemap-type', answer, xmlTypes),
  ]
}

const isAbsolute = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)
