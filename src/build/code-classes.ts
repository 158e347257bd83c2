import type { ShikiConfig } from 'astro'
import { readCodeMeta } from '../content/code-meta.ts'

type Transformer = NonNullable<ShikiConfig['transformers']>[number]
type Line = Parameters<NonNullable<Transformer['line']>>[0]

const token = /--astro-code-token-([a-z-]+)/
/** Set in the colour of text. */
const plain = new Set(['punctuation'])

/** A coloured word as an element with a class, and everything else as text. */
function toClass(child: Line['children'][number]): Line['children'] {
  if (child.type !== 'element') return [child]
  const name = token.exec(String(child.properties['style'] ?? ''))?.[1]
  const children = child.children.flatMap(toClass)
  return name === undefined || plain.has(name)
    ? children
    : [{ ...child, properties: { class: `code-${name}` }, children }]
}

/**
 * Colours of code as classes, because the pages' policy allows no style attributes. Shiki's theme of CSS variables names
 * each colour after what it marks; the names become the classes that `code.css` gives colours for light and dark.
 * Marked lines are the elements that say so, each with the break that ends it, and the title is data of the block.
 */
export const codeClasses: Transformer = {
  name: 'code-classes',
  preprocess(_code, options) {
    // A line gets no more colours after half a second otherwise, so that a busy machine would build another page.
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
