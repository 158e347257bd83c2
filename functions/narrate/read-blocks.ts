/** A paragraph, heading or list item of rich text. */
export interface TextBlock {
  readonly text: string
  readonly kind: 'paragraph' | 'heading' | 'item'
}

/** Deepest nesting that is read; articles are not nested deeper. */
const maxDepth = 16
/** Node types that hold prose, in lower case without punctuation. All others are skipped: pictures, code, embeds. */
const prose =
  /^(?:doc|document|root|block|text|span|p|paragraph|h[1-6]?|heading\w*|title|subtitle|.*quote|.*list|.*listitem|li|lic|ol|ul|item|link|autolink|a|mention|hardbreak|linebreak|softbreak|br|callout|table\w*|tr|td|th)$/
const headings = /^(?:h[1-6]?|heading\w*|title|subtitle)$/
const items = /^(?:.*listitem|li|item)$/
const breaks = /^(?:hardbreak|linebreak|softbreak|br)$/
const inline = /^(?:text|span|link|autolink|a|mention|hardbreak|linebreak|softbreak|br)$/

type Node = Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** BlockNote has both: words in `content`, and blocks below them in `children`. */
const childrenOf = (node: Node): Node[] =>
  [node['content'], node['children']].flatMap((list) => (Array.isArray(list) ? list.filter(isNode) : []))

/** The type of a node without case and punctuation, in which editors differ; empty when it has none, as leaves may. */
const typeOf = (node: Node): string => {
  const type = node['_type'] ?? node['type']
  return typeof type === 'string' ? type.toLowerCase().replace(/[^a-z0-9]/g, '') : ''
}

/** Portable Text (`_type`) defines only `block` and `span`; all its other types belong to the site they come from. */
const isProse = (node: Node): boolean => {
  const type = typeOf(node)
  return type === '' || (typeof node['_type'] === 'string' ? /^(?:block|span)$/.test(type) : prose.test(type))
}

const isInline = (node: Node): boolean => {
  const type = typeOf(node)
  return type === '' ? typeof node['text'] === 'string' : inline.test(type)
}

/** The words of a paragraph: spans join without a space, so that a link or bold letters break no word. */
function inlineText(node: Node, depth: number): string {
  if (!isProse(node) || depth > maxDepth) return ''
  if (breaks.test(typeOf(node))) return '\n'
  const { text } = node
  if (typeof text === 'string') return text
  return childrenOf(node)
    .map((child) => inlineText(child, depth + 1))
    .join('')
}

function kindOf(node: Node, within: TextBlock['kind']): TextBlock['kind'] {
  const { style, listItem } = node
  const type = typeOf(node)
  if (typeof listItem === 'string' || items.test(type)) return 'item'
  if (headings.test(type) || (typeof style === 'string' && headings.test(style.toLowerCase()))) return 'heading'
  return within
}

function readNode(node: Node, depth: number, within: TextBlock['kind']): TextBlock[] {
  if (!isProse(node) || depth > maxDepth) return []
  const kind = kindOf(node, within)
  const children = childrenOf(node)
  const paragraph = (text: string): TextBlock[] => (text.trim() === '' ? [] : [{ text: text.trim(), kind }])
  if (typeof node['text'] === 'string') return paragraph(node['text'])
  const blocks: TextBlock[] = []
  let words = ''
  for (const child of children) {
    // A node of an unknown type among words is an inline picture or footnote: it does not end the paragraph.
    if (isInline(child) || !isProse(child)) words += inlineText(child, depth + 1)
    else {
      blocks.push(...paragraph(words), ...readNode(child, depth + 1, kind))
      words = ''
    }
  }
  return [...blocks, ...paragraph(words)]
}

/**
 * The text of rich-text blocks. Reads Portable Text, and what ProseMirror, Lexical, Slate and BlockNote write, which agree that
 * words are in `text` and nesting is in `children` or `content`. Kinds of node that are not known to be text are skipped.
 *
 * @example readBlocks([{ _type: 'block', children: [{ _type: 'span', text: 'Hello' }] }]) // [{ text: 'Hello', kind: 'paragraph' }]
 */
export const readBlocks = (blocks: readonly Node[]): TextBlock[] =>
  blocks.flatMap((block) => readNode(block, 1, 'paragraph'))

/** The words of rich-text blocks, as their length is counted. */
export const blocksToText = (blocks: readonly Node[]): string =>
  readBlocks(blocks)
    .map(({ text }) => text)
    .join('\n\n')
