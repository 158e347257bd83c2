import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { findEdit } from './find-edit.ts'
import { type Hits, isInName } from './hits.ts'
import type { SearchTerms } from './search-terms.ts'
import { isArabic, openStemmer } from './stemmer.ts'

/** A term of an index, which may stand for another one. */
interface Term {
  readonly term: string
  /** A word may be meant by another one that is written a little differently. */
  readonly isWord: boolean
  /** Whether an English text has it. */
  readonly isEnglish: boolean
  /** Whether a title or an excerpt has it. */
  readonly isNamed: boolean
}

/** Whether a title or an excerpt is among these hits. */
export const isNamed = (hits: Hits): boolean => hits.some((packed, at) => at % 2 === 1 && isInName(packed))

/** Tables of `search.db`: what the words of a query are looked up in. */
export const vocabularySchema = `
  create table stem (stem text not null, word text not null, primary key (stem, word)) strict, without rowid;
  create table word (word text primary key, reversed text not null, is_named integer not null) strict, without rowid;
  create index word_reversed on word (reversed)`

/** Shorter words have too many neighbours that mean something else. */
const leastLetters = 5
/** From here on a neighbour is hardly ever another word. */
const longWord = 8
/** From here on another letter may have been written in place of one of a name. */
const middleWord = 6
const letters = /^\p{L}+$/u

const reverse = (word: string): string => [...word].toReversed().join('')

/** Writes the vocabulary of an index: the stems of English and Arabic words, and all that a mistyped word may have been meant as. */
export function writeVocabulary(db: DatabaseSync, terms: readonly Term[]): void {
  const stemmed = terms.filter(({ term, isEnglish }) => isEnglish || isArabic(term)).map(({ term }) => term)
  const insertStem = db.prepare('insert into stem values (?, ?)')
  for (const [word, stem] of findStems(stemmed)) insertStem.run(stem, word)
  const insertWord = db.prepare('insert into word values (?, ?, ?)')
  for (const { term, isWord, isNamed } of terms)
    if (isWord && letters.test(term) && [...term].length >= leastLetters - 1)
      insertWord.run(term, reverse(term), isNamed ? 1 : 0)
}

/** Writes what changed of these terms, which may be gone. */
export function updateVocabulary(db: DatabaseSync, terms: readonly Term[]): void {
  const removeStem = db.prepare('delete from stem where stem = ? and word = ?')
  for (const [word, stem] of findStems(terms.map(({ term }) => term))) removeStem.run(stem, word)
  const removeWord = db.prepare('delete from word where word = ?')
  for (const { term } of terms) removeWord.run(term)
  writeVocabulary(db, terms)
}

function findStems(terms: readonly string[]): Map<string, string> {
  const stemmer = openStemmer()
  const stems = stemmer.stemsOf(terms)
  stemmer.close()
  return stems
}

const wordSchema = z.object({ word: z.string() })
const knownSchema = z.object({ word: z.string(), is_named: z.int() })
/** What was found for a few thousand words. */
const keptBytes = 1024 * 1024

/**
 * Makes the function that says for the terms of a query what else stands for each: words of the same stem, and for a
 * word that nothing has, those that are one letter away and compounds that end with it.
 *
 * @param isFound whether any document has a term, or a word that begins so
 */
export function openVocabulary(db: DatabaseSync, isFound: (term: string, isPrefix: boolean) => boolean) {
  const stemmer = openStemmer()
  const getStem = db.prepare('select word from stem where stem = ?')
  const alike = (column: string) =>
    db.prepare(`select word, is_named from word where ${column} >= ? and ${column} < ? || char(0x10ffff)`)
  const [getSameStart, getSameEnd] = [alike('word'), alike('reversed')]

  function sameStem(word: string): string[] {
    const stem = stemmer.stemsOf([word]).get(word)
    return stem === undefined
      ? []
      : getStem.all(stem).flatMap((row) => {
          const other = wordSchema.parse(row).word
          return other === word ? [] : [other]
        })
  }

  /** One edit leaves one half of a word as it was, unless it swaps the letters on both sides of the middle. */
  function neighbours(word: string): string[] {
    const all = [...word]
    if (!letters.test(word) || all.length < leastLetters) return []
    const middle = Math.floor(all.length / 2)
    const [first, last] = [all.slice(0, middle).join(''), all.slice(middle).join('')]
    const swapped = [...all.slice(0, middle - 1), all[middle], all[middle - 1], ...all.slice(middle + 1)].join('')
    const end = reverse(last)
    const near = [
      ...getSameStart.all(first, first),
      ...getSameEnd.all(end, end),
      ...getSameStart.all(swapped, swapped),
    ].map((row) => knownSchema.parse(row))
    return near.flatMap((other) => (isMeant(word, other) ? [other.word] : []))
  }

  /** The last part of a compound is what it is: a Dampfmaschine is a Maschine. */
  function compounds(word: string): string[] {
    if (!letters.test(word) || [...word].length < leastLetters) return []
    const end = reverse(word)
    return getSameEnd.all(end, end).map((row) => knownSchema.parse(row).word)
  }

  const othersFor = keepRecent(
    (asked: string): readonly string[] => {
      const [word, isPrefix] = asked.endsWith('*') ? [asked.slice(0, -1), true] : [asked, false]
      const stems = sameStem(word)
      if (stems.length > 0 || isFound(word, isPrefix)) return stems
      const near = [word, word.replace(/s$/, ''), `${word}s`].flatMap(neighbours)
      return [...new Set([...near.flatMap((other) => [other, ...sameStem(other)]), ...compounds(word)])]
    },
    { atMost: keptBytes, sizeOf: (words) => words.join('').length * 2 },
  )

  return {
    widen(terms: SearchTerms): SearchTerms {
      const asked = [...terms.exact, ...(terms.prefix === undefined ? [] : [`${terms.prefix}*`])]
      const others = asked.flatMap((term) => {
        const found = othersFor(term)
        return found.length > 0 ? [[term.replace(/\*$/, ''), found] as const] : []
      })
      return others.length > 0 ? { ...terms, others: new Map(others) } : terms
    },
    close: stemmer.close,
  }
}

/**
 * Whether somebody who wrote a word can have meant a known one. A short word has neighbours that mean something else:
 * its first letter counts, and another letter in place of one only from six on and for what a title or an excerpt has.
 */
function isMeant(word: string, { word: known, is_named: isNamed }: z.output<typeof knownSchema>): boolean {
  const edit = findEdit(word, known)
  if (edit === undefined || word.length >= longWord) return edit !== undefined
  return word[0] === known[0] && (edit === 'slip' || (isNamed === 1 && word.length >= middleWord))
}
