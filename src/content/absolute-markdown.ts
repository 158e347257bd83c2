import { toCell, toInline } from '../core/markdown.ts'
import { type Node, nodesOf, parseMarkdown } from './writing-tree.ts'

/** The characters before the address, by the type of node. */
const signs: Readonly<Record<string, string>> = { link: '](', image: '](', definition: ']:' }

interface Change {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** The space before an address. The address may be on the next line, behind the `>` of a quotation. */
const beginning = /[^\S\n]*(?:\n[\s>]*)?/y
/** An address in angle brackets, which may contain spaces; without brackets it contains none. */
const angled = /<((?:\\.|[^\\<>\n])*)>/y

/** The label of a definition, up to the bracket that ends it. */
const label = /\[(?:\\.|[^\\\]])*/sy

/** By name, the definitions of pictures that exist only beside the sources; `isLinked` if a link uses the same name. */
type Pictured = ReadonlyMap<string, { readonly isLinked: boolean }>

/** Whether an address is a relative path, so a file beside the sources. */
const isOfSources = (url: string): boolean => !url.startsWith('/') && !URL.canParse(url)

/**
 * Markdown to be read outside the site: every link has an absolute address, and a picture that exists only beside the
 * sources is replaced by its description. Code is not changed.
 */
export function toAbsoluteMarkdown(markdown: string, pageUrl: string): string {
  const nodes = nodesOf(parseMarkdown(markdown))
  const pictured = findPictured(nodes)
  const inCells = new Set(nodes.filter(({ type }) => type === 'tableCell').flatMap(nodesOf))
  const changes = nodes.flatMap((node) => {
    const change = toWords(node, pictured) ?? toAddress(node, markdown, pageUrl)
    return change ? [inCells.has(node) ? { ...change, text: toCell(change.text) } : change] : []
  })
  const parts: string[] = []
  let from = 0
  for (const { at, length, text } of changes.toSorted((one, other) => one.at - other.at)) {
    parts.push(markdown.slice(from, at), text)
    from = at + length
  }
  return parts.join('') + markdown.slice(from)
}

function findPictured(nodes: readonly Node[]): Pictured {
  const namesOf = (wanted: string) =>
    new Set(nodes.flatMap(({ type, identifier }) => (type === wanted && identifier !== undefined ? [identifier] : [])))
  const [shown, linked] = [namesOf('imageReference'), namesOf('linkReference')]
  // Of several definitions with one name the first wins (CommonMark), so it is set last.
  const defined = new Map(
    nodes
      .toReversed()
      .flatMap(({ type, identifier, url = '' }) =>
        type === 'definition' && identifier !== undefined ? [[identifier, url]] : [],
      ),
  )
  return new Map(
    [...defined].flatMap(([name, url]) =>
      shown.has(name) && isOfSources(url) ? [[name, { isLinked: linked.has(name) }]] : [],
    ),
  )
}

/**
 * Replaces a picture that exists only beside the sources by its description, and removes its definition unless a link
 * uses it; undefined for all other nodes.
 */
function toWords({ type, position, url = '', alt, identifier = '' }: Node, pictured: Pictured): Change | undefined {
  const [start = 0, end = 0] = [position?.start.offset, position?.end.offset]
  const isImage = type === 'image' ? isOfSources(url) : type === 'imageReference' && pictured.has(identifier)
  if (isImage) return { at: start, length: end - start, text: `(Image: ${toInline(alt ?? '')})` }
  const isUnused = type === 'definition' && pictured.get(identifier)?.isLinked === false
  return isUnused ? { at: start, length: end - start, text: '' } : undefined
}

/** Replaces a relative address by the absolute one, in whatever way it is escaped in the source (`&amp;`, `\_`). */
function toAddress(node: Node, markdown: string, pageUrl: string) {
  const { type, position, url = '' } = node
  const sign = signs[type]
  const absolute = URL.parse(url, pageUrl)?.href
  if (sign === undefined || !position || absolute === undefined || URL.canParse(url)) return undefined
  const { offset: end = 0 } = position.end
  const bracket = endOfWords(node, markdown)
  if (!markdown.startsWith(sign, bracket)) return undefined
  beginning.lastIndex = bracket + sign.length
  beginning.exec(markdown)
  const at = beginning.lastIndex
  angled.lastIndex = at
  const [, inBrackets] = angled.exec(markdown) ?? []
  if (inBrackets !== undefined) return { at: at + 1, length: inBrackets.length, text: toWritten(absolute, inBrackets) }
  const [bare = ''] = /^\S*/.exec(markdown.slice(at, type === 'definition' ? end : end - 1)) ?? []
  return { at, length: bare.length, text: toWritten(absolute, bare) }
}

/** Escapes an address for the place of another one, so that nothing in it is read as an entity or ends the address. */
function toWritten(address: string, instead: string): string {
  const plain = address.replace(/&(?=#?\w+;)/g, '&amp;')
  return /\\|&#?\w+;/.test(instead) ? plain.replace(/[\\()]/g, '\\$&') : plain
}

/** The offset of the `]` that ends the text of a link, a picture or the label of a definition. */
function endOfWords(node: Node, markdown: string): number {
  const { type, position, children = [] } = node
  const [start = 0, end = 0] = [position?.start.offset, position?.end.offset]
  if (type === 'image') return start + endOfPictured(node, markdown.slice(start, end))
  if (type === 'link') return markdown.indexOf('](', children.at(-1)?.position?.end.offset ?? start)
  label.lastIndex = start
  label.exec(markdown)
  return label.lastIndex
}

/**
 * The offset where the description of a picture ends: at the first `](` that is followed by its address. The parser
 * gives no nodes for descriptions, and brackets in code, in tags and behind a backslash pair with nothing, so each `](`
 * is tried.
 */
function endOfPictured({ url, title }: Node, image: string): number {
  for (const { index } of image.matchAll(/\]\(/g)) {
    // Without the `>` that lines of a quotation begin with.
    const behind = image.slice(index).replace(/\n[\s>]*/g, '\n')
    const [block, ...others] = parseMarkdown(`![${behind}`).children ?? []
    const [found, ...more] = block?.children ?? []
    if (others.length + more.length === 0 && found?.type === 'image' && found.url === url && found.title === title)
      return index
  }
  return image.length
}
