import { spokenMath } from './spoken-math.ts'

/** A stretch of text as it is shown in a transcript and as it is said. */
export type Wording = { text: string; spoken: string }

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  times: '×',
  rarr: '→',
  euro: '€',
  pound: '£',
  deg: '°',
}

const character = (code: number): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ''

function decodeEntity(whole: string, name: string): string {
  const isHex = /^#x/i.test(name)
  if (isHex) return character(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return character(Number.parseInt(name.slice(1), 10))
  return entities[name] ?? whole
}

/** Code whose signs outweigh its words is not read out. */
function spokenCode(code: string): string {
  const words = code.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return code.length > 80 || (code.length > 16 && words < code.length / 2) ? 'a piece of code' : code
}

const same = (text: string): Wording => ({ text, spoken: text })
const isSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

type Token = readonly [RegExp, (match: RegExpExecArray) => Wording]

/** What stands at a place and is not plain text; the first that fits is taken. All patterns are sticky and linear. */
const tokens: readonly Token[] = [
  [/\\([!-/:-@[-`{-~])/y, ([, sign = '']) => same(sign)],
  [
    /(?<!`)(`+)(?!`)([^\n]*?[^`])\1(?!`)/y,
    ([, , code = '']) => ({ text: code.trim(), spoken: spokenCode(code.trim()) }),
  ],
  [
    /(?<![\w$\\])\$(?=[^\s$\d]|\d[^$]{0,40}[=^_\\+])([^$\n]{0,200}?[^\s$])\$(?![\d\w])/y,
    ([, tex = '']) => ({ text: tex, spoken: spokenMath(tex) }),
  ],
  [
    /!\[((?:[^[\]\\]|\\.)*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])/y,
    ([, alt = '']) => {
      const { text, spoken } = wordInline(alt)
      return text === '' ? same('') : { text, spoken: `Image: ${isSentence(spoken)}` }
    },
  ],
  [/\[\^[^\]\s]+\]/y, () => same('')],
  [
    /\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])/y,
    ([, label = '']) => wordInline(label),
  ],
  [/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/iy, ([whole, name = '']) => same(decodeEntity(whole, name))],
  [/\*+|~~|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])/uy, () => same('')],
]

const mayBegin = /[\\`$![&*~_]/

/**
 * The words of inline markdown: links by their text, images by their description, code and formulas as they are said,
 * emphasis and footnote marks gone.
 *
 * @example wordInline('See [the **docs**](/docs) for `$x`.').text // 'See the docs for $x.'
 */
export function wordInline(markdown: string): Wording {
  const source = markdown.replace(/\s+/g, ' ')
  let text = ''
  let spoken = ''
  let place = 0
  while (place < source.length) {
    const sign = source.charAt(place)
    let found: { end: number; wording: Wording } | undefined
    if (mayBegin.test(sign))
      for (const [pattern, word] of tokens) {
        pattern.lastIndex = place
        const match = pattern.exec(source)
        if (match === null) continue
        const end = pattern.lastIndex
        found = { end, wording: word(match) }
        break
      }
    text += found?.wording.text ?? sign
    spoken += found?.wording.spoken ?? sign
    place = found?.end ?? place + 1
  }
  const tidy = (words: string) =>
    words
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,;:!?](?:\s|$))/g, '')
      .trim()
  return { text: tidy(text), spoken: tidy(spoken) }
}
