/** How deep rich text may nest; deeper is no article. */
const maxDepth = 16

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const childrenOf = (node: Record<string, unknown>): Record<string, unknown>[] => {
  const list = node.children ?? node.content
  return Array.isArray(list) ? list.filter(isObject) : []
}

function nodeText(node: Record<string, unknown>, depth: number): string {
  if (typeof node.text === 'string') return node.text
  if (depth >= maxDepth) return ''
  const children = childrenOf(node)
  const isInline = children.every((child) => typeof child.text === 'string')
  return children.map((child) => nodeText(child, depth + 1)).join(isInline ? '' : '\n')
}

/**
 * The words of rich-text blocks, a paragraph per block. Reads Portable Text, ProseMirror, Lexical and Slate, which agree
 * that words are in `text` and nesting is in `children` or `content`; what has no words (an image, a rule) is skipped.
 *
 * @example blocksToText([{ _type: 'block', children: [{ _type: 'span', text: 'Hello' }] }]) // 'Hello'
 */
export const blocksToText = (blocks: readonly Record<string, unknown>[]): string =>
  blocks
    .map((block) => nodeText(block, 1).trim())
    .filter(Boolean)
    .join('\n\n')
