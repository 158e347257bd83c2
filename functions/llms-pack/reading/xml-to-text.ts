import { SaxesParser } from 'saxes'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'

const mostDepth = 64
const mostElements = 50_000
const mostAttributes = 64
/** The parser looks for the end of an entity as far as the next semicolon, which may be the end: this one is at hand. */
const bareAmpersand = '&\uE000;'

/** Ends the reading early. */
class Stopped extends Error {}

/** Text of a feed may be a page of its own. */
const toLine = (text: string, { url, enough }: { url: string; enough: number }): string => {
  const words = /<[a-z][^>]{0,200}>/i.test(text) ? htmlToMarkdown(text, { url, enough }).text : text
  return words.replace(/\s+/g, ' ').trim()
}

/**
 * XML as a list of its elements, each with its attributes and words, as deep as it stands; feeds and sitemaps are
 * readable so. A document type is skipped, and no entity of its own is known.
 *
 * @param isCut whether the end is missing, which is no fault then
 * @returns undefined when it is no XML
 */
export function xmlToText(
  xml: string,
  { url, enough, isCut }: { url: string; enough: number; isCut: boolean },
): { title: string; text: string; isWhole: boolean } | undefined {
  const parser = new SaxesParser()
  const lines: string[] = []
  /** The lines of the elements that are open, by their places. */
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
