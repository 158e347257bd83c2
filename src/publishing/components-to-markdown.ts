import { toInline } from '../markdown.ts'
import { calloutName } from './callout-name.ts'
import { type ComponentTag, readTag } from './component-tag.ts'

/** Products by slug, each as a sentence in markdown. */
export type ProductLines = Readonly<Record<string, string>>

const fence = /^[ \t>]*(`{3,}|~{3,})/

/** What a tag on a line of its own becomes; nothing for the tag of something else. */
function toLines({ name, is, attributes }: ComponentTag, products: ProductLines): string[] | undefined {
  switch (name) {
    case 'Callout':
      return is === 'opening' ? [`**${toInline(calloutName(attributes))}**`, ''] : []
    case 'Aside':
      return []
    case 'Figure':
      return is === 'opening' ? [] : ['', `*${toInline(attributes.caption ?? '')}*`]
    case 'ProductCard':
      return [products[attributes.slug ?? ''] ?? '']
    default:
      return undefined
  }
}

const quotedWords = /^>.*[^>\s]/
const quotedGap = /^>[>\s]*$/

const isQuoted = ({ name }: ComponentTag): boolean => name === 'Callout' || name === 'Aside'

/**
 * The components of writing as the markdown that says the same: callouts and asides are quotations, the caption of a
 * figure follows it, a product card is a line. Line by line, because each tag stands on a line of its own.
 */
export function componentsToMarkdown(source: string, products: ProductLines): string {
  const lines: string[] = []
  const open: ComponentTag[] = []
  let code: string | undefined
  const put = (line: string) => {
    const marks = '> '.repeat(open.filter(isQuoted).length)
    // The blank lines that MDX wants around the words of a component are none in a quotation.
    const isGap = marks !== '' && line.trim() === '' && code === undefined
    if (!isGap || quotedWords.test(lines.at(-1) ?? '')) lines.push(`${marks}${line}`.trimEnd())
  }
  for (const line of source.split('\n')) {
    const mark = fence.exec(line)?.[1]
    if (code === undefined) code = mark
    else if (mark?.startsWith(code) && line.trimEnd().endsWith(mark)) code = undefined
    const tag = code === undefined && mark === undefined ? readTag(line) : undefined
    const opening = tag?.is === 'closing' && open.at(-1)?.name === tag.name ? open.at(-1) : undefined
    const meant = tag && toLines({ ...tag, attributes: opening?.attributes ?? tag.attributes }, products)
    if (!tag || !meant) {
      put(line)
      continue
    }
    if (tag.is === 'opening') open.push(tag)
    if (tag.is === 'closing' && !opening) continue
    // Markdown would go on with a paragraph that nothing separates from the quotation.
    if (tag.is === 'opening' && isQuoted(tag) && lines.at(-1) !== '') lines.push('')
    for (const one of meant) put(one)
    if (opening) {
      while (quotedGap.test(lines.at(-1) ?? '')) lines.pop()
      open.pop()
      lines.push('')
    }
  }
  return lines.join('\n')
}
