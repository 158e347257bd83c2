import type { Writing } from './writing.ts'
import { type Node, toBlocks } from './writing-tree.ts'

/** Escapes generated text, so that markdown reads it as this text and nothing else. */
const toPlain = (words: string): string =>
  words
    .replace(/\s+/g, ' ')
    .replace(/[\\`*<[\]|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&')
    .replace(/^ ?(?=[-+#=]+(?: |$)|>)/, '\\')
    .replace(/^( ?\d+)(?=[.)](?: |$))/, '$1\\')

/**
 * Escapes `<` and backticks in text from the source, which could begin a tag or code once the MDX beside it is gone.
 */
const toGuarded = (words: string): string =>
  words.replace(/\\.|[<`]/gs, (sign) => (sign.length === 1 ? `\\${sign}` : sign))

/** Whether a node is in the source as it is, not made or replaced. */
const isWritten = ({ type, position }: Node): boolean => position !== undefined && !type.startsWith('mdx')

/** The margin of a block's further lines: its first line's prefix, with everything but `>` replaced by spaces. */
const toMargin = (signs: string): string => signs.replace(/[^\s>]/g, ' ')

/** Removes a margin from the lines after the first, as far as they have it. */
const withoutMargin = (text: string, margin: string): string =>
  text.replace(/(?<=\n)[^\n]+/g, (line) => {
    const end = [...margin].findIndex((sign, place) => line[place] !== sign)
    return line.slice(end < 0 ? margin.length : end)
  })

const withMargin = (text: string, margin: string): string =>
  text.replace(/\n([^\n]*)/g, (_, line: string) => `\n${line === '' ? margin.trimEnd() : margin + line}`)

/** The markdown form of a post or page: its source, with its MDX replaced by markdown that means the same. */
export function toMarkdown({ source, root }: Writing): string {
  const between = (from: Node | undefined, to: Node | undefined): string =>
    source.slice(from?.position?.end.offset ?? 0, from?.position && to?.position ? to.position.start.offset : 0)

  const marginOf = ({ position }: Node): string => {
    const start = position?.start.offset ?? 0
    return position ? toMargin(source.slice(source.lastIndexOf('\n', start - 1) + 1, start)) : ''
  }

  const toLine = (nodes: readonly Node[]): string =>
    nodes.map((node, place) => between(nodes[place - 1], node) + write(node)).join('')

  /** As `toLine`, from the first node that has text: a list item that began with a blank line would end there. */
  const toFullLine = (nodes: readonly Node[]): string =>
    toLine(nodes.slice(nodes.findIndex((node) => write(node) !== '')))

  /** Whether a block follows its neighbour without a blank line; a list may end with one. */
  function isBelowWords({ position }: Node): boolean {
    const end = source.lastIndexOf('\n', (position?.start.offset ?? 0) - 1)
    return /[^\s>]/.test(source.slice(source.lastIndexOf('\n', end - 1) + 1, end))
  }

  /** Joins blocks with at most one blank line between them, and without the margins that they have in the source. */
  function toStack(nodes: readonly Node[]): string {
    let text = ''
    let last: Node | undefined
    for (const block of toBlocks(nodes)) {
      const [first] = block
      const written = first ? withoutMargin(toLine(block), marginOf(first)).trim() : ''
      const isClose = last && first && isWritten(last) && isWritten(first) && isBelowWords(first)
      if (written !== '') text += (text && (isClose ? '\n' : '\n\n')) + written
      last = block.at(-1)
    }
    return text
  }

  function writeMade({ type, value = '', url = '', alt, children = [] }: Node): string {
    if (type === 'text') return toPlain(value)
    if (type === 'image') return `![${toPlain(alt ?? '')}](${/[\s()<>]/.test(url) ? `<${url}>` : url})`
    if (type === 'break') return '  \n'
    if (type === 'blockquote') return `> ${withMargin(toStack(children), '> ')}`
    const line = toFullLine(children)
    if (type === 'strong') return `**${line}**`
    if (type === 'emphasis') return `*${line}*`
    return type === 'link' ? `[${line}](${url})` : line
  }

  /** The markdown of a node; one from the source keeps the margin of its lines. */
  function write(node: Node): string {
    const { type, position, children = [] } = node
    if (!position) return writeMade(node)
    if (type === 'mdxJsxTextElement') return toLine(children)
    if (type === 'mdxJsxFlowElement') return withMargin(toStack(children), marginOf(node))
    const { start, end } = position
    // The range of an empty one may include the closing tag of the element around it, so only its marker is taken.
    if (children.length === 0 && (type === 'blockquote' || type === 'listItem'))
      return /^(?:[-*+>]|\d+[.)])/.exec(source.slice(start.offset, end.offset))?.[0] ?? ''
    const first = children[0]?.position?.start.offset ?? end.offset
    const last = children.at(-1)?.position?.end.offset ?? end.offset
    if (type === 'text') return toGuarded(source.slice(start.offset, end.offset))
    const line = toFullLine(children)
    const inOneLine = type === 'heading' || type === 'tableCell' ? line.replaceAll('  \n', ' ') : line
    return source.slice(start.offset, first) + inOneLine + source.slice(last, end.offset)
  }

  return toStack(root.children ?? [])
}
