import { cleanText } from '../clean-text.ts'
import type { Mark, Piece } from './page.ts'

const signs: Readonly<Record<Exclude<Mark['sign'], 'link'>, string>> = { strong: '**', emphasis: '*', strike: '~~' }
const longestHref = 1000

/** Text in which no `<` can begin an HTML tag, not even together with text that is appended to it. */
export const escapeTags = (text: string): string => text.replace(/<(?=[a-z/!?]|$)/gi, '&lt;')

/**
 * Escapes text so that a markdown renderer shows the characters of the page: none becomes an HTML tag or begins code.
 */
function escapeProse(text: string): string {
  const safe = escapeTags(text)
  return safe.includes('`') ? safe.replace(/[\\`]/g, '\\$&') : safe
}

/** The length of the longest run of backticks in a text. */
export function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** How many backslashes a text ends in. */
function trailingBackslashes(text: string): number {
  let at = text.length
  while (text[at - 1] === '\\') at -= 1
  return text.length - at
}

/** Inline code, fenced by more backticks than it has in a row. Empty code gives no text: its fence would open code. */
function toCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return ''
  const longest = longestRun(line)
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? fence + line + fence : `${fence} ${line} ${fence}`
}

/**
 * The absolute address of a link; undefined when a reader of the text could not follow it: links within the page, very
 * long ones, and schemes other than https, http and mailto.
 */
function toAbsolute(href: string, base: string): string | undefined {
  if (href.startsWith('#') || href.length > longestHref) return undefined
  const url = URL.parse(href.trim(), base)
  if (url === null || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return undefined
  return url.href.replace(/[()<>`\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

export interface InlineOptions {
  /** What links are relative to. */
  readonly base: string
  /** Characters of text after which writing may stop. */
  readonly enough: number
}

/** The pieces of a block as one line of markdown, or as several where the page broke it. */
export function inlineToMarkdown(pieces: readonly Piece[], { base, enough }: InlineOptions): string {
  const out: string[] = []
  /** Opening marks that wait for their text, so that none is written around nothing or next to a space. */
  let waiting: Mark[] = []
  const open: Mark[] = []
  let hasSpace = false
  /** Backslashes at the end of what was written: an odd number would escape the next character. */
  let backslashes = 0
  let length = 0

  const write = (text: string): void => {
    if (hasSpace && out.length > 0) out.push(' ')
    else if (backslashes % 2 === 1 && /^[`\\]/.test(text)) out.push('\\')
    hasSpace = false
    for (const mark of waiting) {
      out.push(mark.sign === 'link' ? '[' : signs[mark.sign])
      open.push(mark)
    }
    waiting = []
    out.push(text)
    length += text.length
    backslashes = trailingBackslashes(text)
  }
  const close = (sign: Mark['sign']): void => {
    const isWaiting = waiting.some((mark) => mark.sign === sign)
    waiting = waiting.filter((mark) => mark.sign !== sign)
    const at = open.findLastIndex((mark) => mark.sign === sign)
    if (isWaiting || at < 0) return
    // Marks must be closed in reverse order. Those closed on the way to `sign` are opened again before the next text.
    for (const mark of open.splice(at).toReversed()) {
      const end = mark.sign === 'link' ? `](${mark.href ?? ''})` : signs[mark.sign]
      out.push(end)
      length += end.length
      backslashes = 0
      if (mark.sign !== sign) waiting.unshift(mark)
    }
  }

  for (const given of pieces) {
    if (length >= enough) break
    const piece = typeof given === 'string' ? cleanText(given.slice(0, 2 * enough)) : given
    if (typeof piece === 'string') {
      const text = piece.trim()
      if (/^\s/.test(piece)) hasSpace = true
      if (text === '') continue
      write(escapeProse(text.replace(/\s+/g, ' ')))
      hasSpace = /\s$/.test(piece)
    } else if (piece.is === 'open') {
      const href = piece.sign === 'link' ? toAbsolute(piece.href ?? '', base) : undefined
      if (piece.sign !== 'link') waiting.push(piece)
      else if (href !== undefined) waiting.push({ ...piece, href })
    } else if (piece.is === 'close') close(piece.sign)
    else if (piece.is === 'code') {
      const code = toCode(cleanText(piece.text.slice(0, enough)))
      if (code !== '') write(code)
    } else {
      out.push('\n')
      hasSpace = false
      backslashes = 0
    }
  }
  for (const mark of [...open]) close(mark.sign)
  return out
    .join('')
    .replace(/[^\S\n]*\n\s*/g, '\n')
    .trim()
}
