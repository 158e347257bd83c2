import { localName, type XmlElement, type XmlFacts } from './read-xml.ts'

/** An element of a feed, without its ancestors. */
export interface FeedElement {
  /** Name as written, including a namespace prefix. */
  readonly name: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface Feed {
  readonly format: 'rss' | 'atom' | 'rdf'
  /** Children of the channel, without the entries. */
  readonly channel: readonly FeedElement[]
  /** Children of each entry. In RSS 1.0 (RDF) the attribute `rdf:about` is added as an element `id`. */
  readonly entries: readonly (readonly FeedElement[])[]
  /** Every namespace declaration; a prefix that is declared twice is there twice. */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[]
  readonly prefixes: ReadonlySet<string>
}

const formats: Readonly<Record<string, Feed['format']>> = { rss: 'rss', feed: 'atom', RDF: 'rdf' }

/** Sorts the elements of a feed into channel and entries; undefined when the root is not RSS, Atom or RDF. */
export function readFeed({ root, attributes, elements }: Extract<XmlFacts, { is: 'read' }>): Feed | undefined {
  const format = formats[localName(root)]
  if (format === undefined) return undefined
  const channelPath = format === 'atom' ? root : `${root}/channel`
  const entryPath = format === 'atom' ? `${root}/entry` : format === 'rdf' ? `${root}/item` : `${channelPath}/item`
  const channel: FeedElement[] = []
  const entries: FeedElement[][] = []
  // Elements come in the order of their end tags, so the children of an entry come before the entry.
  let entry: FeedElement[] = []
  for (const { path, text, attributes: own } of elements) {
    const within = (parent: string): string | undefined => {
      const name = path.startsWith(`${parent}/`) ? path.slice(parent.length + 1) : ''
      return name === '' || name.includes('/') ? undefined : name
    }
    if (path === entryPath) {
      const about = format === 'rdf' ? own['rdf:about'] : undefined
      entries.push(about === undefined ? entry : [...entry, { name: 'id', text: about, attributes: {} }])
      entry = []
      continue
    }
    const ofEntry = within(entryPath)
    const ofChannel = within(channelPath)
    if (ofEntry !== undefined) entry.push({ name: ofEntry, text, attributes: own })
    else if (ofChannel !== undefined) channel.push({ name: ofChannel, text, attributes: own })
  }
  const declared = [attributes, ...elements.map((element) => element.attributes)].flatMap(findNamespaces)
  return { format, channel, entries, namespaces: declared, prefixes: new Set(elements.flatMap(findPrefix)) }
}

const findNamespaces = (attributes: XmlElement['attributes']): (readonly [string, string])[] =>
  Object.entries(attributes).flatMap(([name, uri]) =>
    name.startsWith('xmlns:') ? [[name.slice(6), uri] as const] : [],
  )

function findPrefix({ path }: XmlElement): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.includes(':') ? [name.slice(0, name.indexOf(':'))] : []
}
