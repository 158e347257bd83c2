import { type Face, faces } from './fonts/faces.ts'
import { rightToLeftFaces } from './fonts/right-to-left-faces.ts'

const readRanges = ({ covers }: Face) =>
  covers.split(',').map((range) => {
    const [first = '', last = first] = range.split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
  })

const ranges = new Map([...faces, ...rightToLeftFaces].map((face) => [face, readRanges(face)]))

function draws(face: Face, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0
  const isInRange = ranges.get(face)?.some(([first, last]) => codePoint >= first && codePoint <= last)
  return isInRange || (face.characters?.has(character) ?? false)
}

/** Zero-width (non-)joiners between Arabic letters decide whether letters join; Persian is misspelt without them. */
const joiner = String.raw`(?<=\p{Script=Arabic}\p{M}*)[\u200c\u200d](?=\p{Script=Arabic})`
const joiners = new RegExp(joiner, 'gu')

/** Whether one face has every letter of a text. */
export const drawsAll = (face: Face, text: string): boolean =>
  [...text.replace(joiners, '')].every((character) => draws(face, character))

/** Variation selectors, joiners, directional marks and skin tones: they draw nothing, or an empty box. */
const invisible = new RegExp(String.raw`(?!${joiner})(?:\p{Cf}|\p{Cc}|\p{Variation_Selector}|\p{Emoji_Modifier})`, 'gu')

/** Full-width Latin letters and digits, and half-width kana. */
const otherWidth = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff61-\uff9f]+/g

/** Normalizes a title for typesetting: NFC, one line, letters of usual width, no invisible characters. */
export const toSetText = (title: string): string =>
  title
    .normalize('NFC')
    .replace(otherWidth, (letters) => letters.normalize('NFKC'))
    .replaceAll('\u2015', '\u2014')
    .replace(/\s/g, ' ')
    .replace(invisible, '')
    .replace(/ +/g, ' ')
    .trim()

const notChinese = faces.filter(({ family }) => family !== 'Chinese')
const notJapanese = faces.filter(({ family }) => family !== 'Japanese')

/**
 * The faces that a text needs (the first one is always included); undefined when no face has one of its characters: an
 * empty box in a title is worse than no title. Japanese and Chinese draw the same characters differently, so a title
 * uses one face or the other.
 */
export const facesFor = (text: string): readonly Face[] | undefined =>
  /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? choose(text, notChinese)
    : (choose(text, notJapanese) ?? choose(text, notChinese))

function choose(text: string, from: readonly Face[]): readonly Face[] | undefined {
  const needed = new Set<Face>()
  for (const character of text) {
    const face = from.find((candidate) => draws(candidate, character))
    if (!face) return undefined
    needed.add(face)
  }
  return from.filter((face, place) => place === 0 || needed.has(face))
}
