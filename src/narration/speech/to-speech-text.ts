import { spokenNumbers } from './spoken-numbers.ts'
import { spokenAbbreviations, spokenWords } from './spoken-words.ts'

/** Letters that Unicode does not take apart, and Greek ones, which in English are read by name. */
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

/** Quotes and dashes of good typography, as the engine knows them. */
const toPlainPunctuation = (text: string): string =>
  text
    .replace(/[‘’‛′]/g, "'")
    .replace(/["“”„«»″]/g, ' ')
    .replace(/…|\.{2,}/g, ', ')
    .replace(/\s*—\s*|\s+[–-]+\s+/g, ', ')
    .replace(/(?<=\w)\(([^()]*)\)/g, ' $1 ')
    .replace(/\s*[()[\]{}]+\s*/g, ', ')
    .replace(/[‐‑–]/g, '-')

/** What is left is ASCII that can be heard: letters and the punctuation that shapes a sentence. */
const toAscii = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, (sign) => letters[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9 ,.;:!?'-]+/g, ' ')

/** Longer than any word of English; the engine would spell it, letter by letter, for minutes. */
const endlessWord = /[A-Za-z]{46,}/g
const tripledLetter = /([A-Za-z])\1{3,}/g

/** Punctuation as the steps before have left it, put in order. */
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
 * A sentence as the English engine can say it: plain ASCII words and punctuation, with numbers, money, dates, units,
 * addresses, signs and names from code as a person would read them. Empty when there is nothing to say. The engine
 * drops or misreads everything else, without a word.
 *
 * @example toSpeechText('It costs $0.05, see https://example.com/a.') // 'It costs five cents, see example dot com.'
 */
export function toSpeechText(sentence: string): string {
  // Where a word may be divided it is one.
  const whole = sentence.replaceAll('\u00ad', '')
  // Inside a sentence a full stop ends nothing; the marks that decide how a name is read are needed until the end.
  const named = spokenWords(spokenNumbers(spokenAbbreviations(whole.toWellFormed().normalize('NFC'))))
  const text = tidy(toAscii(toPlainPunctuation(named)))
  return /[A-Za-z]/.test(text) ? text : ''
}
