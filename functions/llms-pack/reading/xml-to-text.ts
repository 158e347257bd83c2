import { SaxesParser } from 'saxes'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'

const mostDepth = 64
const mostElements = 50_000
const mostAttributes = 64
/**
 * Stands for an unescaped `&`. The parser reads an entity name up to the next semicolon, which may be the end of the
 * document; this replacement has its semicolon close by.
 */
const bareAmpersand = '&\uE000;'

/** Thrown to stop the parser early. */
class Stopped extends Error {}

/** A text in one line. Text of a feed may contain HTML, which is converted to markdown. */
const toLine = (text: string, { url, enough }: { url: string; enough: number }): string => {
  const words = /<[a-z][^>]{0,200}>/i.test(text) ? htmlToMarkdown(text, { url, enough }).text : text
  return words.replace(/\s+/g, ' ').trim()
}

/**
 * XML as a nested list of its elements, each with its attributes and text, which makes feeds and sitemaps readable. A
 * document type is skipped, and entities that it declares are unknown.
 *
 * @param isCut whether the end of the document is missing, which is not an error then
 * @returns undefined when it is not well-formed XML
 */
export function xmlToText(
  xml: string,
  { url, enough, isCut }: { url: string; enough: number; isCut: boolean },
): { title: string; text: string; isWhole: boolean } | undefined {
  const parser = new SaxesParser()
  const lines: string[] = []
  /** For each open element, the index of its line and its text so far. */
  const open: { line: number; words: string }[] = []
  let [title, length, attributes, isBroken, isWhole] = ['', 0, 0, false, true]
  const stop = (): never => {
    isWhole = false
    throw new Stopped()
  }
  const hear = (words: string): void => {
    const last = open.at(-1)
    if (last) last.words += words
  }
  parser.on('text', (words) => hear(words))
  parser.on('cdata', (words) => hear(words.replaceAll(bareAmpersand, '&')))
  parser.on('opentagstart', () => {
    attributes = 0
    if (open.length >= mostDepth || lines.length >= mostElements || length > enough) stop()
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes) stop()
  })
  parser.on('opentag', ({ name, attributes: given }) => {
    const about = Object.entries(given).map(([key, value]) => ` ${key}="${toLine(value, { url, enough })}"`)
    const line = `${'  '.repeat(open.length)}- ${name}${about.join('')}`
    open.push({ line: lines.push(line) - 1, words: '' })
    length += line.length
  })
  parser.on('closetag', ({ name }) => {
    const { line = 0, words = '' } = open.pop() ?? {}
    const said = toLine(words, { url, enough })
    if (said === '') return
    lines[line] += `: ${said}`
    length += said.length
    if (title === '' && /^(?:\w+:)?title$/i.test(name)) title = said
  })
  parser.on('error', () => {
    isBroken = true
    stop()
  })
  try {
    parser.write(xml.replace(/&(?![#\w:.-]{1,40}(?:;|$))/g, bareAmpersand))
    if (!isCut) parser.close()
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
  if (lines.length === 0 || (isBroken && !isCut)) return undefined
  return { title, text: lines.join('\n'), isWhole: isWhole || isBroken }
}
