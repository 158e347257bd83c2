import { lexicon } from './lexicon.ts'
import { type MotifName, motifNames } from './motifs.ts'

interface Entry {
  readonly name: MotifName
  readonly how: 'named' | 'hinted'
}

type Index = Readonly<Record<'whole' | 'start' | 'end' | 'inside', Map<string, readonly Entry[]>>>

/**
 * Weights of words that name a motif and of words that only hint at it; words of the title count three times as much.
 */
const weights = { named: 2, hinted: 1 }
const titled = 3

/** Letters added to a match at the end of a compound, because its last part decides: a night train is a train. */
const headLetters = 3

/** Characters of a text that are read: its beginning says what it is about. */
const longestRead = 5000

/** Latin and Greek letters without accents, everything in lower case. */
const toPlain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')

/** Scripts that set no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Longest entries in characters, for scripts with and without spaces. */
const [longestEntry, longestUnspaced] = [20, 6]

const index = makeIndex()

/** The motif that a title names, or else that its hints and the excerpt suggest; undefined when no word is known. */
export function findMotif(title: string, excerpt = ''): MotifName | undefined {
  const inTitle = mentionsIn(title)
  const namedInTitle = inTitle.filter(({ how }) => how === 'named')
  if (namedInTitle.length > 0) return heaviest(namedInTitle.map(({ name }) => [name, 1]))
  return heaviest([
    ...inTitle.map(({ name, how }) => [name, weights[how] * titled] as const),
    ...mentionsIn(excerpt).map(({ name, how }) => [name, weights[how]] as const),
  ])
}

/** The motif with the largest total weight; of equals, the one mentioned first. */
function heaviest(mentions: readonly (readonly [name: MotifName, weight: number])[]): MotifName | undefined {
  const sums = new Map<MotifName, number>()
  for (const [name, weight] of mentions) sums.set(name, (sums.get(name) ?? 0) + weight)
  const most = Math.max(...sums.values())
  return [...sums].find(([, sum]) => sum === most)?.[0]
}

const mentionsIn = (text: string): readonly Entry[] => wordsOf(text).flatMap(entriesOf)

/** The words of a text. French "j'ai" is removed, because it would match AI. */
const wordsOf = (text: string): readonly string[] =>
  toPlain(text.slice(0, longestRead))
    .replace(/\bj['’]ai\b/g, '')
    .match(/[\p{L}\p{M}\d]+/gu) ?? []

/** The entries that match the longest part of a word, so that "keyboard" does not match "key". */
function entriesOf(word: string): readonly Entry[] {
  let found: readonly Entry[] = []
  let most = 0
  const add = (entries: readonly Entry[] | undefined, letters: number) => {
    if (!entries || letters < most) return
    found = letters === most ? [...found, ...entries] : entries
    most = letters
  }
  for (const form of new Set([word, word.replace(/s$/, ''), word.replace(/es$/, '')])) {
    add(index.whole.get(form), word.length)
  }
  for (let length = 2; length <= Math.min(word.length, longestEntry); length += 1) {
    add(index.start.get(word.slice(0, length)), length)
    if (length < word.length) add(index.end.get(word.slice(-length)), length + headLetters)
  }
  if (!unspaced.test(word)) return found
  for (let start = 0; start < word.length; start += 1) {
    for (let length = 1; length <= longestUnspaced; length += 1) {
      add(index.inside.get(word.slice(start, start + length)), length)
    }
  }
  return found
}

function makeIndex(): Index {
  const made: Index = { whole: new Map(), start: new Map(), end: new Map(), inside: new Map() }
  for (const name of motifNames) {
    const [naming = '', hinting = ''] = lexicon[name].split('|')
    for (const [words, how] of [
      [naming, 'named'],
      [hinting, 'hinted'],
    ] as const) {
      for (const entry of words.split(' ').filter((word) => word !== '')) {
        const bare = toPlain(entry.replaceAll('*', ''))
        const kind = unspaced.test(bare)
          ? 'inside'
          : entry.endsWith('*')
            ? 'start'
            : entry.startsWith('*')
              ? 'end'
              : 'whole'
        made[kind].set(bare, [...(made[kind].get(bare) ?? []), { name, how }])
      }
    }
  }
  return made
}
