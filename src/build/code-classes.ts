import type { ShikiConfig } from 'astro'
import { readCodeMeta } from '../content/code-meta.ts'

type Transformer = NonNullable<ShikiConfig['transformers']>[number]
type Line = Parameters<NonNullable<Transformer['line']>>[0]

const token = /--astro-code-token-([a-z-]+)/
/** Tokens that keep the colour of plain text. */
const plain = new Set(['punctuation'])

/** A coloured token as an element with a class, everything else as plain text. */
function toClass(child: Line['children'][number]): Line['children'] {
  if (child.type !== 'element') return [child]
  const name = token.exec(String(child.properties['style'] ?? ''))?.[1]
  const children = child.children.flatMap(toClass)
  return name === undefined || plain.has(name)
    ? children
    : [{ ...child, properties: { class: `code-${name}` }, children }]
}

/**
 * Colours code with classes, because the pages' Content-Security-Policy allows no style attributes. Shiki's theme of
 * CSS variables names each colour after the kind of token; these names become the classes that `code.css` colours for
 * light and dark. A marked line becomes an element (such as `ins`) that includes its line break, and the title becomes
 * a data attribute of the block.
 */
export const codeClasses: Transformer = {
  name: 'code-classes',
  preprocess(_code, options) {
    // By default Shiki stops colouring a line after 500 ms, so a busy machine would build a different page.
    options.tokenizeTimeLimit = 0
  },
  code(node) {
    const { marks } = readCodeMeta(this.options.meta?.__raw, this.source)
    let number = 0
    let marked: Line | undefined
    node.children = node.children.flatMap((line) => {
      if (line.type !== 'element') {
        if (!marked) return [line]
        if (line.type === 'text') marked.children.push(line)
        return []
      }
      number += 1
      const children = line.children.flatMap(toClass)
      const tagName = marks.get(number)
      marked = tagName && { ...line, tagName, properties: {}, children }
      return marked ? [marked] : children
    })
  },
  pre(node) {
    const { dataLanguage } = node.properties
    const { title } = readCodeMeta(this.options.meta?.__raw, this.source)
    node.properties = {
      ...(dataLanguage === undefined ? {} : { dataLanguage }),
      ...(title === undefined ? {} : { dataTitle: title }),
    }
  },
}
