const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales = ['', ' thousand', ' million', ' billion', ' trillion']
const ordinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

/** Numbers with more digits than this are spelled. */
const maxNamedDigits = 15
/** Numbers with more digits are only described: nobody follows them, and a text of digits would last for hours. */
const maxSpokenDigits = 24

const maxFractionDigits = 8

const belowHundred = (value: number): string => {
  if (value < 20) return ones[value] ?? ''
  return value % 10 === 0 ? (tens[value / 10] ?? '') : `${tens[Math.floor(value / 10)]} ${ones[value % 10]}`
}

const belowThousand = (value: number): string => {
  if (value < 100) return belowHundred(value)
  const hundreds = `${ones[Math.floor(value / 100)]} hundred`
  return value % 100 === 0 ? hundreds : `${hundreds} ${belowHundred(value % 100)}`
}

/** Digits one by one, as in a code or behind a decimal point. */
export const spellDigits = (digits: string): string =>
  digits.length > maxSpokenDigits
    ? `a number of ${cardinal(String(digits.length))} digits`
    : [...digits].map((digit) => ones[Number(digit)] ?? '').join(' ')

/**
 * A whole number in words.
 *
 * @example cardinal('1402') // 'one thousand four hundred two'
 */
export function cardinal(digits: string): string {
  const value = digits.replace(/^0+(?=\d)/, '')
  if (value.length > maxNamedDigits) return spellDigits(value)
  const groups = value.padStart(Math.ceil(value.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const words = groups.flatMap((group, index) =>
    group === '000' ? [] : [belowThousand(Number(group)) + (scales[groups.length - 1 - index] ?? '')],
  )
  return words.join(' ') || 'zero'
}

/** The digits after the decimal point; those of a long fraction are cut. */
const spellFraction = (digits: string): string =>
  digits.length > maxFractionDigits
    ? `${spellDigits(digits.slice(0, maxFractionDigits))} and so on`
    : spellDigits(digits)

/** A number with a fraction: '3.14' is three point one four. */
export function decimal(number: string): string {
  const [whole = '0', fraction] = number.split('.')
  return fraction === undefined ? cardinal(whole) : `${cardinal(whole || '0')} point ${spellFraction(fraction)}`
}

/** An ordinal number: '21' is twenty first. */
export function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ')
  const last = words.pop() ?? ''
  const ending = ordinals[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return [...words, ending].join(' ')
}

/** A year of four digits as people say it: '1987' is nineteen eighty seven, '2005' two thousand five. */
export function year(digits: string): string {
  const century = Number(digits.slice(0, 2))
  const rest = Number(digits.slice(2))
  if (century % 10 === 0 && rest < 10) return cardinal(digits)
  if (rest === 0) return `${belowHundred(century)} hundred`
  return `${belowHundred(century)} ${rest < 10 ? `oh ${ones[rest]}` : belowHundred(rest)}`
}

/** Three digits as a code: '402' is four oh two, '429' four twenty nine. */
export function codeNumber(digits: string): string {
  const rest = Number(digits.slice(1))
  if (rest === 0) return cardinal(digits)
  return `${ones[Number(digits.charAt(0))]} ${rest < 10 ? `oh ${ones[rest]}` : belowHundred(rest)}`
}
