import { readCodeMeta } from './code-meta.ts'
import type { Writing } from './writing.ts'
import { isPhrasing, type Node, nodesOf, notesOf } from './writing-tree.ts'

function wordsOf({ type, name, value = '', alt, meta, children = [] }: Node): string {
  // A product is found by its own page; footnotes come last.
  if (name === 'ProductCard' || name === 'LiveExchange' || type === 'footnoteDefinition') return ''
  if (type === 'break') return ' '
  if (type === 'image' || type === 'imageReference') return alt ?? ''
  if (type === 'code') return `${readCodeMeta(meta, value).title ?? ''} ${value}`
  return value + wordsOfAll(children)
}

const wordsOfAll = (nodes: readonly Node[]): string =>
  nodes.map((node) => (isPhrasing(node) ? wordsOf(node) : ` ${wordsOf(node)} `)).join('')

/** The plain text of a post or page, on one line, without markup and addresses; code is included. */
export const toPlainText = ({ root }: Writing): string =>
  [root, ...notesOf(root)]
    .map(({ children = [] }) => wordsOfAll(children))
    .join(' ')
    // Soft hyphens.
    .replaceAll('\u00ad', '')
    .replace(/\s+/g, ' ')
    .trim()

/** Completes the headings that Astro finds by the values of expressions and by formulas, which Astro leaves out. */
export function withValues<Heading extends { text: string }>(headings: readonly Heading[], { root }: Writing) {
  const nodes = nodesOf(root).filter(({ type }) => type === 'heading')
  return headings.map((heading, place): Heading => {
    const node = nodes[place]
    const hasMdx = node && nodesOf(node).some(({ type }) => type.startsWith('mdx') || type === 'inlineMath')
    return hasMdx ? { ...heading, text: wordsOf(node).replace(/\s+/g, ' ').trim() } : heading
  })
}
