import { localName, readXml } from '../read/read-xml.ts'
import type { Answered, Site } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge, judgeDocument, judgeKind, judgeType } from './checks.ts'
import { isWebDate, judgeDates } from './judge-dates.ts'

const xmlTypes = /^(?:application|text)\/xml|\+xml/i
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Judges the sitemap by the protocol of sitemaps.org. */
export const judgeSitemap = (site: Site, now: Date): Judgement[] =>
  judgeDocument(site, '/sitemap.xml', 'sitemap-missing', (answer) => judgeMap(answer, now))

function judgeMap(answer: Answered, now: Date): Judgement[] {
  if (answer.kind !== 'xml') return [judgeKind('sitemap-broken', answer)]
  const xml = readXml(answer.text, answer.fetched.isCut)
  if (xml.is === 'broken') return [judge('sitemap-broken', false, `It is not well-formed: ${xml.why}.`)]
  const root = localName(xml.root)
  if (root !== 'urlset' && root !== 'sitemapindex')
    return [judge('sitemap-broken', false, 'Its root element is neither urlset nor sitemapindex.')]
  const prefix = xml.root.slice(0, -root.length - 1)
  const declared = xml.attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`] ?? ''
  const isLeaf = (name: string) => (path: string) => path.split('/').length === 3 && localName(path) === name
  const locs = xml.elements.filter(({ path }) => isLeaf('loc')(path)).map(({ text }) => text)
  const dates = xml.elements.filter(({ path }) => isLeaf('lastmod')(path)).map(({ text }) => text)
  const { origin } = new URL(answer.fetched.url)
  const strangers = locs.filter((loc) => !URL.canParse(loc) || new URL(loc).origin !== origin)
  const twins = root === 'urlset' ? locs.filter((loc) => /\.(?:md|txt)$/i.test(loc)) : []
  return [
    judge('sitemap-broken', true, ''),
    judge(
      'sitemap-namespace',
      declared === namespace,
      declared === '' ? 'Its root element has no namespace.' : `Its namespace is ${toPrintable(declared, 80)}.`,
    ),
    judge('sitemap-empty', locs.length > 0, 'It has no loc.'),
    judge(
      'sitemap-elsewhere',
      strangers.length === 0,
      `${strangers.length} of ${locs.length} are not below ${origin}.`,
    ),
    judge('sitemap-not-pages', twins.length === 0, `${twins.length} of ${locs.length} lead to plain texts.`),
    judge('sitemap-no-dates', dates.length > 0, `None of its ${locs.length} entries has a lastmod.`),
    judgeDates('sitemap-dates', dates, { isDate: isWebDate, form: 'a date of RFC 3339', now }),
    judgeType('sitemap-type', answer, xmlTypes),
  ]
}
