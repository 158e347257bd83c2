import { escapeHtml } from '../core/escape-html.ts'
import { findMatches, type Match } from './find-matches.ts'
import type { SearchTerms } from './search-terms.ts'

const maxLength = 200
const before = 50

/**
 * The part of a text with the most different terms, as HTML in which `<mark>` around them is the only markup. Matches
 * are found in the plain text, and everything between them is escaped. Undefined when the text has none of the terms.
 */
export function toSnippet(text: string, terms: SearchTerms): string | undefined {
  const matches = fromBestPlace(findMatches(text, terms))
  const [first] = matches
  if (!first) return undefined
  const start = first.start <= before ? 0 : endOfSpace(text, first.start - before, first.start)
  const end =
    text.length - start <= maxLength ? text.length : startOfSpace(text, start + maxLength, start + maxLength / 2)
  const html: string[] = [start > 0 ? '…' : '']
  let place = start
  for (const match of matches) {
    const [from, to] = [Math.max(match.start, place), Math.min(match.end, end)]
    if (from >= to) continue
    html.push(toHtml(text.slice(place, from)), '<mark>', toHtml(text.slice(from, to)), '</mark>')
    place = to
  }
  html.push(toHtml(text.slice(place, end)), end < text.length ? '…' : '')
  return html.join('').replaceAll('</mark><mark>', '')
}

/** The beginning of a text, as a snippet without marks. */
export const toOpening = (text: string): string => {
  if (text.length <= maxLength) return toHtml(text)
  return `${toHtml(text.slice(0, startOfSpace(text, maxLength, maxLength / 2)))}…`
}

/** White space other than a single space, and control characters. */
const unevenSpace = /(?:[^\S ]|\p{Cc})[\p{Cc}\s]*| [\p{Cc}\s]+/gu

/**
 * Escapes text: white space and control characters become single spaces, and halves of surrogate pairs at a cut are
 * removed.
 */
const toHtml = (text: string): string =>
  escapeHtml(
    text
      .replace(unevenSpace, ' ')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, ''),
  )

const endOfSpace = (text: string, from: number, atMost: number): number => {
  const space = text.indexOf(' ', from)
  return space >= 0 && space < atMost ? space + 1 : startOfSign(text, from)
}
const startOfSpace = (text: string, from: number, atLeast: number): number => {
  const space = text.lastIndexOf(' ', from)
  return space >= atLeast ? space : startOfSign(text, from)
}

const signs = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** The longest grapheme cluster to expect, in code units. */
const longestSign = 32

/** The start of the grapheme cluster around a position. */
function startOfSign(text: string, place: number): number {
  const start = Math.max(0, place - longestSign)
  const found = signs.segment(text.slice(start, place + longestSign)).containing(place - start)
  return found ? start + found.index : place
}

/** The matches from the first position at which a snippet contains the most different terms. */
function fromBestPlace(matches: readonly Match[]): readonly Match[] {
  const all = new Set(matches.map(({ term }) => term)).size
  const inWindow = new Map<string, number>()
  let best = { from: 0, terms: 0 }
  let from = 0
  for (const { term, end } of matches) {
    inWindow.set(term, (inWindow.get(term) ?? 0) + 1)
    for (
      let first = matches[from];
      first && first.end < end && end - first.start > maxLength - before;
      first = matches[from]
    ) {
      const left = (inWindow.get(first.term) ?? 1) - 1
      if (left === 0) inWindow.delete(first.term)
      else inWindow.set(first.term, left)
      from += 1
    }
    if (inWindow.size > best.terms) best = { from, terms: inWindow.size }
    if (best.terms === all) break
  }
  return matches.slice(best.from)
}
