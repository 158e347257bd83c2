import { type Feed, type FeedElement, readFeed } from '../read/read-feed.ts'
import { readXml } from '../read/read-xml.ts'
import type { Answered, Site } from '../read/seen.ts'
import { type Judgement, judge, judgeDocument, judgeKind, judgeType, judgeValidators } from './checks.ts'
import { isMailDate, isTimestamp, judgeDates } from './judge-dates.ts'
import { judgeEntries } from './judge-entries.ts'
import { judgeJsonFeed } from './judge-json-feed.ts'
import { judgePodcast } from './judge-podcast.ts'

/** Judges the feed at /rss.xml (RSS, RDF or Atom) and the JSON Feed at /feed.json. */
export const judgeFeeds = (site: Site, now: Date): Judgement[] => [
  ...judgeDocument(site, '/rss.xml', 'rss-missing', (answer) => judgeXmlFeed(answer, now)),
  ...judgeDocument(site, '/feed.json', 'json-feed-missing', (answer) => judgeJsonFeed(answer, now)),
]

function judgeXmlFeed(answer: Answered, now: Date): Judgement[] {
  if (answer.kind !== 'xml') return [judgeKind('rss-broken', answer)]
  const xml = readXml(answer.text, answer.fetched.isCut)
  if (xml.is === 'broken') return [judge('rss-broken', false, `It is not well-formed: ${xml.why}.`)]
  const feed = readFeed(xml)
  if (!feed) return [judge('rss-broken', false, 'Its root element is neither rss nor feed.')]
  const isAtom = feed.format === 'atom'
  return [
    judge('rss-broken', true, ''),
    judge('rss-empty', feed.entries.length > 0, 'It is well-formed and has no entries.'),
    // A missing element may be in the part that was not read.
    ...(answer.fetched.isCut ? [] : [judgeChannel(feed)]),
    judgeSelf(feed, answer),
    judgeNamespaces(feed),
    ...judgeEntries(feed, new URL(answer.fetched.url)),
    judgeDates('rss-dates', datesOf(feed), {
      isDate: isAtom ? isTimestamp : isMailDate,
      form: isAtom ? 'a date of RFC 3339' : 'a date of RFC 822 with the right weekday',
      now,
    }),
    ...judgePodcast(feed),
    judgeType('rss-type', answer, /^(?:application|text)\/xml|\+xml/i),
    judgeValidators('rss-no-validators', answer),
  ]
}

const required: Readonly<Record<Feed['format'], readonly string[]>> = {
  rss: ['title', 'link', 'description'],
  rdf: ['title', 'link', 'description'],
  atom: ['title', 'id', 'updated'],
}

function judgeChannel({ format, channel, entries }: Feed): Judgement {
  const count = (name: string): number => channel.filter((element) => element.name === name).length
  const wrong = required[format].filter((name) => count(name) !== 1)
  const [first] = wrong
  if (first !== undefined)
    return judge('rss-channel', false, `It has ${count(first) === 0 ? `no ${first}` : `${count(first)} of ${first}`}.`)
  const nameless = format === 'atom' && count('author') === 0 && entries.some((entry) => !has(entry, 'author'))
  return judge('rss-channel', !nameless, 'It has no author, and neither have all of its entries.')
}

const has = (entry: readonly FeedElement[], wanted: string): boolean => entry.some(({ name }) => name === wanted)

/** Feed readers store a feed under the address in its rel="self" link. */
function judgeSelf({ channel }: Feed, { url, fetched }: Answered): Judgement {
  const [self] = channel.filter(({ name, attributes }) => /^(?:\w+:)?link$/.test(name) && attributes['rel'] === 'self')
  const href = self?.attributes['href'] ?? ''
  const isOwn = URL.canParse(href) && [url, fetched.url].includes(new URL(href).href)
  return judge('rss-self', isOwn, self ? 'Its link rel="self" is another address.' : 'It has no link rel="self".')
}

const known: ReadonlyMap<string, string> = new Map([
  ['atom', 'http://www.w3.org/2005/Atom'],
  ['content', 'http://purl.org/rss/1.0/modules/content/'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['itunes', 'http://www.itunes.com/dtds/podcast-1.0.dtd'],
  ['podcast', 'https://podcastindex.org/namespace/1.0'],
])

/** A namespace that differs in one letter is another one, and what stands in it is ignored. */
function judgeNamespaces({ namespaces, prefixes }: Feed): Judgement {
  const misspelt = namespaces.find(([prefix, uri]) => known.has(prefix) && known.get(prefix) !== uri)
  if (misspelt) return judge('rss-namespaces', false, `xmlns:${misspelt[0]} is not ${known.get(misspelt[0])}.`)
  const declared = new Set(namespaces.map(([prefix]) => prefix))
  const unknown = [...known.keys()].find((prefix) => prefixes.has(prefix) && !declared.has(prefix))
  return judge('rss-namespaces', unknown === undefined, `xmlns:${unknown} is not declared.`)
}

const datesOf = ({ format, entries }: Feed): string[] => {
  const name = format === 'atom' ? 'updated' : 'pubDate'
  return entries.flatMap((entry) => entry.filter((element) => element.name === name).map(({ text }) => text))
}
