import { z } from 'zod'
import { parseJson } from '../read/parse-json.ts'
import { localName, readXml, type XmlElement } from '../read/read-xml.ts'
import type { Answered, Site } from '../read/seen.ts'
import { type Judgement, judge, judgeDocument, judgeKind, judgeType } from './checks.ts'

const jsonFeedSchema = z.object({
  version: z.string().startsWith('https://jsonfeed.org/version/'),
  title: z.string(),
  items: z.array(
    z.looseObject({ id: z.string(), content_html: z.string().optional(), content_text: z.string().optional() }),
  ),
})

/** RSS or Atom at /rss.xml, and JSON Feed. */
export const judgeFeeds = (site: Site): Judgement[] => [
  ...judgeDocument(site, '/rss.xml', 'rss-missing', judgeRss),
  ...judgeDocument(site, '/feed.json', 'json-feed-missing', judgeJsonFeed),
]

function judgeRss(answer: Answered): Judgement[] {
  if (answer.kind !== 'xml') return [judgeKind('rss-broken', answer)]
  const xml = readXml(answer.text, answer.fetched.isCut)
  if (xml.is === 'broken') return [judge('rss-broken', false, `It is not well-formed: ${xml.why}.`)]
  const root = localName(xml.root)
  if (root !== 'rss' && root !== 'feed' && root !== 'RDF')
    return [judge('rss-broken', false, 'Its root element is neither rss nor feed.')]
  const entries = xml.elements.filter(({ path }) => path === toEntryPath(xml.root, root))
  const poor = countPoorEntries(xml.elements, toEntryPath(xml.root, root))
  return [
    judge('rss-broken', true, ''),
    judge('rss-empty', entries.length > 0, 'It is well-formed and has no entries.'),
    judge('rss-entries', poor === 0, `${poor} of ${entries.length} entries lack a title or text, an id, or a link.`),
    judgeType('rss-type', answer, /^(?:application|text)\/xml|\+xml/i),
  ]
}

const toEntryPath = (name: string, root: string): string =>
  root === 'feed' ? `${name}/entry` : root === 'RDF' ? `${name}/item` : `${name}/channel/item`

/** Elements end before what they stand in does: what belongs to an entry comes before it. */
function countPoorEntries(elements: readonly XmlElement[], entryPath: string): number {
  let has = new Set<string>()
  let poor = 0
  for (const { path, text, attributes } of elements) {
    if (path === entryPath) {
      const hasWords = ['title', 'description', 'summary', 'content'].some((name) => has.has(name))
      const hasId = has.has('guid') || has.has('id')
      if (!hasWords || !hasId || !has.has('link')) poor += 1
      has = new Set()
    } else if (path.startsWith(`${entryPath}/`) && (text !== '' || Object.keys(attributes).length > 0)) {
      const name = path.slice(entryPath.length + 1)
      has.add(name)
      // A guid is an address unless it says that it is none.
      if (name === 'guid' && !isOpaque(attributes)) has.add('link')
    }
  }
  return poor
}

const isOpaque = (attributes: XmlElement['attributes']): boolean =>
  Object.entries(attributes).some((attribute) => /^isPermaLink=false/i.test(attribute.join('=')))

function judgeJsonFeed(answer: Answered): Judgement[] {
  if (answer.kind !== 'json') return [judgeKind('json-feed-broken', answer)]
  const read = jsonFeedSchema.safeParse(parseJson(answer.text))
  // One that is longer than what was read is not called broken for that.
  if (!read.success && !answer.fetched.isCut) {
    const where = read.error.issues[0]?.path.join('/') ?? ''
    return [judge('json-feed-broken', false, `It is not as the specification says${where && ` at ${where}`}.`)]
  }
  return [judge('json-feed-broken', true, ''), judgeType('json-feed-type', answer, /^application\/(?:feed\+)?json/i)]
}
