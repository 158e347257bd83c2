import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { findEdit } from './find-edit.ts'
import { type Hits, isInName } from './hits.ts'
import type { SearchTerms } from './search-terms.ts'
import { isArabic, openStemmer } from './stemmer.ts'

/** A term of the index that may be an alternative for another one. */
interface Term {
  readonly term: string
  /** Only words can be corrections of misspelled words. */
  readonly isWord: boolean
  /** Whether an English text has it. */
  readonly isEnglish: boolean
  /** Whether a title or an excerpt has it. */
  readonly isNamed: boolean
}

/** Whether a title or an excerpt is among these hits. */
export const isNamed = (hits: Hits): boolean => hits.some((packed, at) => at % 2 === 1 && isInName(packed))

/** The tables of `search.db` in which the words of a query are looked up. */
export const vocabularySchema = `
  create table stem (stem text not null, word text not null, primary key (stem, word)) strict, without rowid;
  create table word (word text primary key, reversed text not null, is_named integer not null) strict, without rowid;
  create index word_reversed on word (reversed)`

/** The shortest word to correct; shorter ones have too many neighbours with other meanings. */
const leastLetters = 5
/** From this length on, a neighbour hardly ever is another word. */
const longWord = 8
/** From this length on, a replaced letter is corrected, too, if the word is in a title or excerpt. */
const middleWord = 6
const letters = /^\p{L}+$/u

const reverse = (word: string): string => [...word].toReversed().join('')

/**
 * Writes the vocabulary of an index: the stems of English and Arabic words, and the words that a misspelled word may
 * mean.
 */
export function writeVocabulary(db: DatabaseSync, terms: readonly Term[]): void {
  const stemmed = terms.filter(({ term, isEnglish }) => isEnglish || isArabic(term)).map(({ term }) => term)
  const insertStem = db.prepare('insert into stem values (?, ?)')
  for (const [word, stem] of findStems(stemmed)) insertStem.run(stem, word)
  const insertWord = db.prepare('insert into word values (?, ?, ?)')
  for (const { term, isWord, isNamed } of terms)
    if (isWord && letters.test(term) && [...term].length >= leastLetters - 1)
      insertWord.run(term, reverse(term), isNamed ? 1 : 0)
}

/** Updates these terms, some of which may be gone from the index. */
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
/** The size of the cache: the alternatives of a few thousand words. */
const keptBytes = 1024 * 1024

/**
 * Makes the function that adds alternatives to the terms of a query: words with the same stem; and for a word that is
 * in no document, words that are one edit away, and compounds that end with it.
 *
 * @param isFound whether any document has a term, or a word with this prefix
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

  /**
   * Words that are one edit away. An edit leaves one half of a word unchanged, unless it swaps the two letters in the
   * middle, so these are looked up by both halves and by the swap.
   */
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

  /**
   * Compounds that end with the word, because the last part says what the compound is: a Dampfmaschine is a Maschine.
   */
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
 * Whether a known word can be meant by another one. Short words have neighbours with other meanings: their first letter
 * has to be equal, and a replaced letter counts only from six letters on and for words in a title or excerpt.
 */
function isMeant(word: string, { word: known, is_named: isNamed }: z.output<typeof knownSchema>): boolean {
  const edit = findEdit(word, known)
  if (edit === undefined || word.length >= longWord) return edit !== undefined
  return word[0] === known[0] && (edit === 'slip' || (isNamed === 1 && word.length >= middleWord))
}
