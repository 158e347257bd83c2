import { z } from 'zod'
import { type Judgement, judge } from './checks.ts'
import { localName, nameOf } from './judge-crawling.ts'
import { parseJson } from './parse-json.ts'
import { readXml, type XmlElement } from './read-xml.ts'
import { findAnswer, presence, type Site } from './seen.ts'

const jsonFeedSchema = z.object({
  version: z.string().startsWith('https://jsonfeed.org/version/'),
  title: z.string(),
  items: z.array(
    z.looseObject({ id: z.string(), content_html: z.string().optional(), content_text: z.string().optional() }),
  ),
})

/** RSS or Atom at /rss.xml, and JSON Feed. */
export const judgeFeeds = (site: Site): Judgement[] => [...judgeRss(site), ...judgeJsonFeed(site)]

function judgeRss(site: Site): Judgement[] {
  const seen = site.get('/rss.xml')
  const answer = findAnswer(seen)
  if (!answer) return presence(seen) === 'absent' ? [judge('rss-missing', false, 'There is nothing at /rss.xml.')] : []
  const there = judge('rss-missing', true, '')
  if (answer.kind !== 'xml') return [there, judge('rss-broken', false, `The body is ${nameOf(answer)}.`)]
  const xml = readXml(answer.text, answer.fetched.isCut)
  if (xml.is === 'broken') return [there, judge('rss-broken', false, `It is not well-formed: ${xml.why}.`)]
  const root = localName(xml.root)
  if (root !== 'rss' && root !== 'feed' && root !== 'RDF')
    return [there, judge('rss-broken', false, 'Its root element is neither rss nor feed.')]
  const entries = xml.elements.filter(({ path }) => path === toEntryPath(xml.root, root))
  const poor = countPoorEntries(xml.elements, toEntryPath(xml.root, root))
  const type = answer.fetched.headers.get('content-type') ?? ''
  return [
    there,
    judge('rss-broken', true, ''),
    judge('rss-empty', entries.length > 0, 'It is well-formed and has no entries.'),
    judge('rss-entries', poor === 0, `${poor} of ${entries.length} entries lack a title or text, an id, or a link.`),
    judge('rss-type', /^(?:application|text)\/xml|\+xml/i.test(type), `Its Content-Type is ${type || 'missing'}.`),
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
    } else if (path.startsWith(`${entryPath}/`) && (text !== '' || attributes !== '')) {
      const name = path.slice(entryPath.length + 1)
      has.add(name)
      // A guid is an address unless it says that it is none.
      if (name === 'guid' && !/isPermaLink\s*=\s*["']false/i.test(attributes)) has.add('link')
    }
  }
  return poor
}

function judgeJsonFeed(site: Site): Judgement[] {
  const seen = site.get('/feed.json')
  const answer = findAnswer(seen)
  if (!answer)
    return presence(seen) === 'absent' ? [judge('json-feed-missing', false, 'There is nothing at /feed.json.')] : []
  const there = judge('json-feed-missing', true, '')
  if (answer.kind !== 'json') return [there, judge('json-feed-broken', false, `The body is ${nameOf(answer)}.`)]
  const read = jsonFeedSchema.safeParse(parseJson(answer.text))
  // One that is longer than what was read is not called broken for that.
  if (!read.success && !answer.fetched.isCut) {
    const where = read.error.issues[0]?.path.join('/') ?? ''
    return [there, judge('json-feed-broken', false, `It is not as the specification says${where && ` at ${where}`}.`)]
  }
  const type = answer.fetched.headers.get('content-type') ?? ''
  return [
    there,
    judge('json-feed-broken', true, ''),
    judge('json-feed-type', /^application\/(?:feed\+)?json/i.test(type), `Its Content-Type is ${type || 'missing'}.`),
  ]
}
