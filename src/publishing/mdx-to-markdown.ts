import { componentsToMarkdown, type ProductLines } from './components-to-markdown.ts'
import { withoutFrontMatter } from './read-source.ts'

const fenceOpening = /^[ \t>]*(`{3,}|~{3,})/

/** The place behind the bracket that closes the one at `start`; text in quotes does not count. */
function endOfBraces(text: string, start: number): number {
  let depth = 0
  for (let place = start; place < text.length; place += 1) {
    const sign = text[place]
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (sign === '"' || sign === "'" || sign === '`') {
      const closing = text.indexOf(sign, place + 1)
      if (closing > 0) place = closing
    }
    if (depth === 0) return place + 1
  }
  return text.length
}

/** The place behind a tag that begins at `start`; attributes may hold `>` in quotes or braces. */
function endOfTag(text: string, start: number): number {
  for (let place = start + 1; place < text.length; place += 1) {
    const sign = text[place]
    if (sign === '>') return place + 1
    if (sign === '{') place = endOfBraces(text, place) - 1
    else if (sign === '"' || sign === "'") {
      const closing = text.indexOf(sign, place + 1)
      if (closing > 0) place = closing
    }
  }
  return text.length
}

/** The place behind inline code that begins at `start`; a run of backticks that nothing closes is only backticks. */
function endOfCode(text: string, start: number): number {
  const run = /^`+/.exec(text.slice(start))?.[0] ?? ''
  const closing = new RegExp(`(?<!\`)${run}(?!\`)`, 'g')
  closing.lastIndex = start + run.length
  return closing.test(text) ? closing.lastIndex : start + run.length
}

/** Prose without imports, JSX and expressions. What is in inline code stays. */
function plainProse(prose: string): string {
  const text = prose.replace(/^(?:import|export)\s[\s\S]*?(?:\n[ \t]*\n|\s*$(?![\s\S]))/gm, '')
  let plain = ''
  let place = 0
  while (place < text.length) {
    const sign = text[place] ?? ''
    const next = text[place + 1] ?? ''
    let end = place + 1
    if (sign === '\\') end = place + 2
    else if (sign === '`') end = endOfCode(text, place)
    if (sign === '{') place = endOfBraces(text, place)
    else if (sign === '<' && /[A-Za-z/>!]/.test(next)) place = endOfTag(text, place)
    else {
      plain += sign === '<' ? '\\<' : text.slice(place, end)
      place = end
    }
  }
  return plain
}

/** A source in alternating parts: prose at even places, fenced code at odd ones. */
function alternate(source: string): string[] {
  const parts: string[] = []
  let part: string[] = []
  let fence: string | undefined
  const close = () => {
    parts.push(part.join('\n'))
    part = []
  }
  for (const line of source.split('\n')) {
    const mark = fenceOpening.exec(line)?.[1]
    if (fence === undefined && mark !== undefined) {
      close()
      fence = mark
      part.push(line)
    } else if (fence !== undefined && mark?.startsWith(fence) && line.trimEnd().endsWith(mark)) {
      part.push(line)
      close()
      fence = undefined
    } else part.push(line)
  }
  close()
  return parts
}

/** At most one blank line in a row, where components have left more. */
const withoutGaps = (prose: string): string => prose.replace(/\n{3,}/g, '\n\n').replace(/^\n{2,}|\n{2,}$/g, '\n')

/**
 * The markdown in an MDX file: without front matter, imports and expressions, with the components of writing as plain
 * markdown and without any others; code is left alone. Product cards are left out where no products are given.
 */
export const mdxToMarkdown = (source: string, products: ProductLines = {}): string =>
  alternate(componentsToMarkdown(withoutFrontMatter(source).replaceAll('\r\n', '\n'), products))
    .map((part, place) => (place % 2 === 0 ? withoutGaps(plainProse(part)) : part))
    .join('\n')
    .trim()
