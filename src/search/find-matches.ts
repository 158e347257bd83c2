import { foldText } from './fold-text.ts'
import type { SearchTerms } from './search-terms.ts'
import { toTokens } from './to-tokens.ts'

/** A match of a term of the query in a text. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly term: string
}

/** All matches in a text, in order of position. */
export function findMatches(text: string, terms: SearchTerms): Match[] {
  // Only ASCII has one byte per character, and counting bytes is faster than testing characters.
  const isAscii = Buffer.byteLength(text) === text.length
  const folded = isAscii ? text.toLowerCase() : foldInPlace(text)
  const matches = folded === undefined ? undefined : lookUp(folded, terms)
  // Folding may change the number of characters; then the text is tokenized instead.
  return matches ?? (isAscii ? (lookUp(text.toLowerCase(), terms, true) ?? []) : readThrough(text, terms))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const notAscii = /[^\x00-\x7f]/g
const touching = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u
const wordPart = /[\p{L}\p{N}\p{M}]/u

const folds = new Map<string, string>()

/** Characters that may fold to none or to several. */
const moves = /[\p{L}\p{N}\p{M}\u00ad]/u

/** Folds every character that folds to one; undefined when positions would change. */
function foldInPlace(text: string): string | undefined {
  const folded = text.toLowerCase().replace(notAscii, (character) => {
    const known = folds.get(character)
    if (known !== undefined) return known
    const one = foldText(character)
    const kept = one.length === 1 ? one : moves.test(character) ? '' : character
    // There are no more characters of one code unit than this.
    if (folds.size < 65_536) folds.set(character, kept)
    return kept
  })
  return folded.length === text.length ? folded : undefined
}

/** Looks up the terms in folded text; undefined when one is not found, unless `isSomeEnough`. */
function lookUp(folded: string, { exact, prefix, others }: SearchTerms, isSomeEnough = false): Match[] | undefined {
  const matches: Match[] = []
  for (const term of prefix === undefined ? exact : [...exact, prefix]) {
    const before = matches.length
    addMatches(matches, folded, { form: term, term, isPrefix: term === prefix })
    for (const form of others?.get(term) ?? []) addMatches(matches, folded, { form, term, isPrefix: false })
    if (matches.length === before && !isSomeEnough) return undefined
  }
  return matches.sort((one, other) => one.start - other.start || other.end - one.end)
}

/** Adds the matches of one form of a term. */
function addMatches(
  matches: Match[],
  folded: string,
  { form, term, isPrefix }: { form: string; term: string; isPrefix: boolean },
): void {
  const isWhole = !touching.test(form)
  for (let start = folded.indexOf(form); start >= 0; start = folded.indexOf(form, start + form.length)) {
    let end = start + form.length
    if (isWhole) {
      if (isWordPart(folded, start - 1)) continue
      if (isPrefix) while (isWordPart(folded, end)) end += 1
      else if (isWordPart(folded, end)) continue
    }
    matches.push({ start, end, term })
  }
}

function isWordPart(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
  const character = text.charAt(place)
  return wordPart.test(character) && !touching.test(character)
}

function readThrough(text: string, { exact, prefix, others = new Map() }: SearchTerms): Match[] {
  const wanted = new Map(exact.map((term) => [term, term]))
  for (const [term, forms] of others) for (const form of forms) wanted.set(form, term)
  const matches: Match[] = []
  for (const { term, start, end, is } of toTokens(text)) {
    const asked = wanted.get(term)
    if (asked !== undefined) matches.push({ start, end, term: asked })
    else if (prefix !== undefined && is === 'word' && term.startsWith(prefix))
      matches.push({ start, end, term: prefix })
  }
  return matches
}
