import { SaxesParser } from 'saxes'
import { toPrintable } from './to-printable.ts'

const maxDepth = 64
const maxAttributes = 256
/** Enough for a sitemap of about 6,000 pages; elements after these are ignored. */
const maxElements = 20_000
const maxLength = 1_000_000
/** Characters that are kept of a name, so that paths stay short. */
const maxNameLength = 80

/** An element: its path (`rss/channel/item/title`), and the text directly inside it. */
export interface XmlElement {
  readonly path: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
}

export type XmlFacts =
  | {
      readonly is: 'read'
      readonly root: string
      /** Attributes of the root element, whose end tag may be missing. */
      readonly attributes: XmlElement['attributes']
      readonly elements: readonly XmlElement[]
    }
  | { readonly is: 'broken'; readonly why: string }

/** Thrown to stop the parser early. */
class Stopped extends Error {}

/**
 * Stands for an unescaped `&`. The parser reads an entity name up to the next semicolon, which may be the end of the
 * document; this replacement has its semicolon close by.
 */
const bareAmpersand = '&\uE000;'

/**
 * Reads XML in one pass and stops at the first error, as feed readers do. Elements are in the order of their end tags.
 * A document type is skipped, and entities that it declares are unknown.
 *
 * @param isCut whether the end of the document was not fetched; then a missing end is not an error
 */
export function readXml(xml: string, isCut: boolean): XmlFacts {
  const text = xml.slice(0, maxLength).replace(/&(?![#\w:.-]{1,40}(?:;|$))/g, bareAmpersand)
  const parser = new SaxesParser()
  const elements: XmlElement[] = []
  const open: { path: string; text: string[] }[] = []
  let root = ''
  let rootAttributes: XmlElement['attributes'] = {}
  let attributes = 0
  let closed = ''
  let why: string | undefined

  const stop = (reason?: string): never => {
    why = reason
    throw new Stopped()
  }
  parser.on('text', (words) => open.at(-1)?.text.push(words))
  parser.on('cdata', (words) => open.at(-1)?.text.push(words.replaceAll(bareAmpersand, '&')))
  parser.on('opentagstart', ({ name }) => {
    root ||= name
    attributes = 0
    if (open.length > maxDepth) stop('it is nested too deep')
    const short = name.slice(0, maxNameLength)
    open.push({ path: open.length === 0 ? short : `${open.at(-1)?.path}/${short}`, text: [] })
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > maxAttributes) stop('an element has too many attributes')
  })
  parser.on('opentag', (tag) => {
    if (open.length === 1) rootAttributes = tag.attributes
  })
  parser.on('closetag', (tag) => {
    closed = tag.name
    const ended = open.pop()
    if (ended) elements.push({ path: ended.path, text: ended.text.join('').trim(), attributes: tag.attributes })
    if (elements.length >= maxElements) stop()
  })
  parser.on('error', ({ message }) => stop(toReason(message, text.slice(0, parser.position), closed)))

  try {
    parser.write(text)
    if (!isCut && xml.length <= maxLength) parser.close()
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
  if (why !== undefined) return { is: 'broken', why: toPrintable(why) }
  if (root === '') return { is: 'broken', why: 'there is no element' }
  return { is: 'read', root, attributes: rootAttributes, elements }
}

/** The parser's error and its position, in words that help the author of the document. */
function toReason(message: string, before: string, closed: string): string {
  const [, line, column, found = message] = /^(\d+):(\d+): (.*?)\.?$/s.exec(message) ?? []
  const markup = before.slice(before.lastIndexOf('<'))
  const entity = before.slice(before.lastIndexOf('&'))
  const [, name] = /^un(?:closed tag|matched closing tag): (.*)$/s.exec(found) ?? []
  if (found.startsWith('unclosed tag')) return `<${name}> is not closed`
  if (found === 'document must contain a root element') return 'there is no element'
  const reason = found.startsWith('unmatched closing tag')
    ? `</${name}> closes what is not open`
    : found === 'unexpected close tag'
      ? `${markup} stands where <${closed}> is open`
      : entity === bareAmpersand
        ? 'an & is not escaped'
        : found === 'undefined entity'
          ? `${entity} is no entity of XML`
          : found
  return `${reason} (line ${line}, column ${column})`
}

/** The last name of a path, without its namespace prefix. */
export const localName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1)
