import { cleanText } from '../clean-text.ts'
import { blocksToMarkdown } from './blocks-to-markdown.ts'
import { findMain } from './find-main.ts'
import { escapeTags } from './inline-to-markdown.ts'
import type { Piece } from './page.ts'
import { readPage } from './read-page.ts'

const longestTitle = 300

/**
 * The main text of a page as readable markdown, without any of its markup: headings, lists, tables, code, quotations
 * and links are kept; navigation, banners and programs are not. Takes time proportional to the page, whatever it holds.
 *
 * @returns the title as its author wrote it, in one line, empty when there is none; markdown; and whether the page was
 * read whole, which it is not when it has more elements than are read
 * @param enough characters of text; what comes after may be left out
 * @example htmlToMarkdown('<h1>Tea</h1><p>With <b>milk</b>', { url: 'https://a.example/', enough: 1000 })
 */
export function htmlToMarkdown(html: string, { url, enough }: { url: string; enough: number }) {
  const page = readPage(html)
  const base = URL.parse(page.base, url)?.href ?? url
  const heading = page.blocks.find(({ is, level }) => is === 'heading' && level === 1)
  const title = toLine(page.title) || (heading ? toLine(plain(heading.pieces)) : '')
  const text = blocksToMarkdown(findMain(page), { tables: page.tables, base, enough })
  return { title, text, isWhole: page.isWhole }
}

/** The text of pieces without their marks. */
const plain = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.is === 'code' ? piece.text : ' ')).join('')

const toLine = (text: string): string => {
  const line = escapeTags(cleanText(text).replace(/\s+/g, ' ').trim())
  return line.length <= longestTitle ? line : `${[...line].slice(0, longestTitle - 1).join('')}…`
}
