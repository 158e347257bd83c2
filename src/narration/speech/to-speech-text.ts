import { spokenNumbers } from './spoken-numbers.ts'
import { spokenAbbreviations, spokenWords } from './spoken-words.ts'

/** Letters that Unicode normalization does not decompose, and Greek letters, which are spoken by name in English. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  α: ' alpha ',
  β: ' beta ',
  γ: ' gamma ',
  δ: ' delta ',
  Δ: ' delta ',
  ε: ' epsilon ',
  θ: ' theta ',
  λ: ' lambda ',
  μ: ' mu ',
  µ: ' mu ',
  π: ' pi ',
  σ: ' sigma ',
  Σ: ' sigma ',
  τ: ' tau ',
  φ: ' phi ',
  ω: ' omega ',
  Ω: ' omega ',
}

/** Replaces typographic quotes and dashes by those that the engine knows. */
const toPlainPunctuation = (text: string): string =>
  text
    .replace(/[‘’‛′]/g, "'")
    .replace(/["“”„«»″]/g, ' ')
    .replace(/…|\.{2,}/g, ', ')
    .replace(/\s*—\s*|\s+[–-]+\s+/g, ', ')
    .replace(/(?<=\w)\(([^()]*)\)/g, ' $1 ')
    .replace(/\s*[()[\]{}]+\s*/g, ', ')
    .replace(/[‐‑–]/g, '-')

/** Reduces a text to ASCII letters, digits and the punctuation that the engine uses. */
const toAscii = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, (sign) => letters[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9 ,.;:!?'-]+/g, ' ')

/** Longer than any English word; the engine would spell it for minutes. */
const endlessWord = /[A-Za-z]{46,}/g
const tripledLetter = /([A-Za-z])\1{3,}/g

/** Cleans up the punctuation that the steps before left behind. */
const tidy = (text: string): string =>
  text
    .replace(tripledLetter, '$1$1$1')
    .replace(endlessWord, 'a very long word')
    .replace(/(?<![A-Za-z0-9])['-]+|['-]+(?![A-Za-z0-9])/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?:\s*[,;:])*\s*([.!?])(?:\s*[,;:.!?])*/g, '$1')
    .replace(/\s*([,;:])(?:\s*[,;:])*/g, '$1')
    .replace(/([,;:.!?])(?=[A-Za-z0-9])/g, '$1 ')
    .replace(/^[\s,;:.!?]+/, '')
    .trim()

/**
 * A sentence as the English engine can speak it: plain ASCII words and punctuation, with numbers, money, dates, units,
 * addresses, symbols and identifiers worded as a person would read them. Empty when there is nothing to say. Other
 * characters must go, because the engine silently drops or misreads them.
 *
 * @example toSpeechText('It costs $0.05, see https://example.com/a.') // 'It costs five cents, see example dot com.'
 */
export function toSpeechText(sentence: string): string {
  // Removes soft hyphens.
  const whole = sentence.replaceAll('\u00ad', '')
  // Case and punctuation decide how a name is read, so they are reduced last.
  const named = spokenWords(spokenNumbers(spokenAbbreviations(whole.toWellFormed().normalize('NFC'))))
  const text = tidy(toAscii(toPlainPunctuation(named)))
  return /[A-Za-z]/.test(text) ? text : ''
}
