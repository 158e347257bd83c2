import type { ShikiConfig } from 'astro'

type Transformer = NonNullable<ShikiConfig['transformers']>[number]
type Line = Parameters<NonNullable<Transformer['line']>>[0]

const token = /--astro-code-token-([a-z-]+)/
/** Set in the colour of text. */
const plain = new Set(['punctuation'])

/** A coloured word as an element with a class, and everything else as text. */
function toClass(child: Line['children'][number]): Line['children'] {
  if (child.type !== 'element') return [child]
  const name = token.exec(String(child.properties['style'] ?? ''))?.[1]
  if (name === undefined || plain.has(name)) return child.children
  return [{ ...child, properties: { class: `code-${name}` } }]
}

/**
 * Colours of code as classes, because the pages' policy allows no style attributes. Shiki's theme of CSS variables names
 * each colour after what it marks; the names become the classes that `code.css` gives colours for light and dark.
 */
export const codeClasses: Transformer = {
  name: 'code-classes',
  code(node) {
    node.children = node.children.flatMap((line) => (line.type === 'element' ? line.children.flatMap(toClass) : [line]))
  },
  pre(node) {
    const { dataLanguage } = node.properties
    node.properties = dataLanguage === undefined ? {} : { dataLanguage }
  },
}
