import { cardinal, codeNumber, decimal, ordinal, spellDigits, year } from './number-words.ts'
import { spokenCounts } from './spoken-counts.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const monthName = `(?:${months.join('|')}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)`
const fullMonth = (name: string): string => months.find((month) => month.startsWith(name.slice(0, 3))) ?? name

/** A number as written in English, with or without thousands separators. */
const number = '(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?'
const plain = (text: string): string => text.replaceAll(',', '')

/**
 * A space that groups digits, as in science and many languages: narrow or non-breaking, with three digits after it.
 *
 * @example '5\u202f000'.replace(groupSpace, '') // '5000'
 */
export const groupSpace = /(?<=(?<!\d)\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})*)[\u00a0\u2009\u202f](?=\d{3}(?!\d))/g

/** Singular and plural of the units that may follow a number. */
const units: Readonly<Record<string, readonly [string, string]>> = {
  ms: ['millisecond', 'milliseconds'],
  µs: ['microsecond', 'microseconds'],
  μs: ['microsecond', 'microseconds'],
  ns: ['nanosecond', 'nanoseconds'],
  s: ['second', 'seconds'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  km: ['kilometre', 'kilometres'],
  'km/h': ['kilometre per hour', 'kilometres per hour'],
  'm/s': ['metre per second', 'metres per second'],
  cm: ['centimetre', 'centimetres'],
  mm: ['millimetre', 'millimetres'],
  m: ['metre', 'metres'],
  kg: ['kilogram', 'kilograms'],
  g: ['gram', 'grams'],
  mg: ['milligram', 'milligrams'],
  B: ['byte', 'bytes'],
  kB: ['kilobyte', 'kilobytes'],
  KB: ['kilobyte', 'kilobytes'],
  KiB: ['kibibyte', 'kibibytes'],
  MB: ['megabyte', 'megabytes'],
  MiB: ['mebibyte', 'mebibytes'],
  GB: ['gigabyte', 'gigabytes'],
  GiB: ['gibibyte', 'gibibytes'],
  TB: ['terabyte', 'terabytes'],
  kbit: ['kilobit', 'kilobits'],
  Mbit: ['megabit', 'megabits'],
  Hz: ['hertz', 'hertz'],
  kHz: ['kilohertz', 'kilohertz'],
  MHz: ['megahertz', 'megahertz'],
  GHz: ['gigahertz', 'gigahertz'],
  dB: ['decibel', 'decibels'],
  px: ['pixel', 'pixels'],
  W: ['watt', 'watts'],
  kW: ['kilowatt', 'kilowatts'],
  kWh: ['kilowatt hour', 'kilowatt hours'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  '°': ['degree', 'degrees'],
  '%': ['percent', 'percent'],
  x: ['times', 'times'],
}
const unitNames = Object.keys(units)
  .sort((a, b) => b.length - a.length)
  .join('|')

/** Scales of an amount of money: those that may follow after a space, and those that only follow without one. */
const scales: Readonly<Record<string, string>> = { k: 'thousand', M: 'million', bn: 'billion' }
const closeScales: Readonly<Record<string, string>> = {
  K: 'thousand',
  m: 'million',
  B: 'billion',
  b: 'billion',
  T: 'trillion',
}
const moneyScale = `(?: ?(thousand|million|billion|trillion|${Object.keys(scales).join('|')})|(${Object.keys(closeScales).join('|')}))`

type Money = { one: string; many: string; cent: string; cents: string }
const currencies: Readonly<Record<string, Money>> = {
  $: { one: 'dollar', many: 'dollars', cent: 'cent', cents: 'cents' },
  '€': { one: 'euro', many: 'euros', cent: 'cent', cents: 'cents' },
  '£': { one: 'pound', many: 'pounds', cent: 'penny', cents: 'pence' },
  '¥': { one: 'yen', many: 'yen', cent: 'sen', cents: 'sen' },
  '₹': { one: 'rupee', many: 'rupees', cent: 'paisa', cents: 'paise' },
}

function money(sign: string, amount: string, scale: string | undefined): string {
  const { one, many, cent, cents } = currencies[sign] ?? { one: sign, many: sign, cent: sign, cents: sign }
  if (scale) return `${decimal(amount)} ${scale} ${many}`
  const [whole = '0', fraction = ''] = amount.split('.')
  const isOne = Number(whole) === 1
  if (Number(fraction || 0) === 0) return `${cardinal(whole)} ${isOne ? one : many}`
  if (fraction.length > 2) return `${decimal(amount)} ${many}`
  const small = String(Number(fraction.padEnd(2, '0')))
  const smallWords = `${cardinal(small)} ${small === '1' ? cent : cents}`
  return Number(whole) === 0 ? smallWords : `${cardinal(whole)} ${isOne ? one : many} and ${smallWords}`
}

/** A time of day: '14:05' is fourteen oh five. */
function clock(hours: string, minutes: string, seconds: string | undefined): string {
  const rest = Number(minutes)
  const past = rest === 0 ? "o'clock" : rest < 10 ? `oh ${cardinal(minutes)}` : cardinal(minutes)
  return `${cardinal(hours)} ${past}${seconds && Number(seconds) > 0 ? ` and ${cardinal(seconds)} seconds` : ''}`
}

const date = (month: string, day: string, yearDigits: string | undefined): string =>
  `${fullMonth(month)} ${ordinal(day)}${yearDigits ? `, ${year(yearDigits)}` : ''}`

function isoDate(whole: string, y: string, m: string, d: string, hours?: string, minutes?: string, zone?: string) {
  const month = months[Number(m) - 1]
  if (month === undefined || Number(d) < 1 || Number(d) > 31) return whole
  const day = date(month, d, y)
  return hours && minutes ? `${day} at ${clock(hours, minutes, undefined)}${zone ? ' UTC' : ''}` : day
}

type Rule = readonly [RegExp, (...parts: string[]) => string]

const fractions: Readonly<Record<string, string>> = { '1/2': 'one half', '1/3': 'one third', '1/4': 'one quarter' }
const moreFractions: Readonly<Record<string, string>> = { '2/3': 'two thirds', '3/4': 'three quarters' }

/** A vulgar fraction such as `½` in words, by its compatibility form: numerator, fraction slash, denominator. */
function vulgarFraction(sign: string): string {
  const [over = '', under = ''] = sign.normalize('NFKC').split('\u2044')
  const part = { '2': 'half', '4': 'quarter' }[under] ?? ordinal(under)
  return `${cardinal(over)} ${part}${over === '1' ? '' : 's'}`
}

/** Superscripts that have rules of their own: squared and cubed. */
const isRaised = (sign: string): boolean => sign === '²' || sign === '³'

/** A digit in another form (full width, circled, superscript, subscript) as a plain digit, which the rules know. */
function plainDigit(sign: string): string {
  const plain = sign.normalize('NFKC')
  return /\d/.test(plain) && !isRaised(sign) ? plain : sign
}

/**
 * An exponent after a number, a one-letter name or a unit; after any name if it is negative. Elsewhere it marks a note.
 */
const raisedPower =
  /(?<=\d|(?<![\p{L}\d])\p{Ll}|(?<![\p{L}\d])[cdkm]m)(?:[⁰²³⁴-⁹][⁰¹²³⁴-⁹]*|¹[⁰¹²³⁴-⁹]+|[ⁿˣ])|(?<=\d)¹|(?<=[\p{L}\d])⁻[⁰¹²³⁴-⁹]+/gu

/** In order: rules that need their context come before those for single numbers. */
const rules: readonly Rule[] = [
  [/(?<=[¼½¾⅐-⅞]) ?%/g, () => ' percent'],
  [/(?<=\d) ?([¼½¾⅐-⅞])/g, (_, sign = '') => ` and ${vulgarFraction(sign)}`],
  [/[¼½¾⅐-⅞]/g, (sign = '') => vulgarFraction(sign)],
  [raisedPower, (power = '') => (isRaised(power) ? power : `^${power.normalize('NFKC').replace('\u2212', '-')}`)],
  [/[^\0-\x7f]/gu, (sign = '') => plainDigit(sign)],
  [groupSpace, () => ''],
  [/(?<=\d)_(?=\d)/g, () => ''],
  [
    /(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d{1,3})\b/g,
    (_, base = '', power = '') => `${base} times 10^${power.replace('+', '')}`,
  ],
  [/(?<=[\w)])\^(?=-?\d|(?<=\d\^)[a-z]\b|[nx]\b)/g, () => ' to the power of '],
  [/\b(\d{2})(\d0)s\b/g, (_, century = '', decade = '') => `${year(century + decade).replace(/y$/, 'ie')}s`],
  [/\b(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(Z)?)?(?![\d-])/g, isoDate],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (${monthName})\\.?(?:,? ([12]\\d{3}))?\\b`, 'g'),
    (_, day = '', month = '', y) => date(month, day, y),
  ],
  [
    new RegExp(`\\b(${monthName})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? ([12]\\d{3}))?\\b(?![.,:]?\\d)`, 'g'),
    (_, month = '', day = '', y) => date(month, day, y),
  ],
  [
    new RegExp(`\\b(${monthName})\\.? ([12]\\d{3})\\b`, 'g'),
    (_, month = '', y = '') => `${fullMonth(month)} ${year(y)}`,
  ],
  [
    /\b(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?: ?([ap])\.?m\b\.?)?/gi,
    (_, hours = '', minutes = '', seconds, half) =>
      clock(hours, minutes, seconds) + (half ? ` ${half.toUpperCase()} M` : ''),
  ],
  [/\b(\d{1,2}) ?([ap])\.?m\b\.?/gi, (_, hours = '', half = '') => `${cardinal(hours)} ${half.toUpperCase()} M`],
  [/\b0x[0-9a-f]{9,}(?:…|\.\.\.)?/gi, () => 'a long hexadecimal number'],
  [/\b0x([0-9a-f]{1,8})\b/gi, (_, digits = '') => `hex ${[...digits.toUpperCase()].join(' ')}`],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}\b/gi, () => 'a long code'],
  [/(?<=[$€£¥₹] ?)(?=\.\d)/g, () => '0'],
  [/(?<![\w.])[−-](?=[$€£¥₹] ?\d)/g, () => 'minus '],
  [/(?<=\p{L})(?=[$€£¥₹] ?\d)/gu, () => ' '],
  [
    new RegExp(`([$€£¥₹]) ?(${number})(?:${moneyScale}\\b)?(?: ?[–-] ?(?=[$€£¥₹]? ?\\d))?`, 'g'),
    (whole, sign = '', amount = '', scale, closeScale) => {
      const said = scale ? (scales[scale] ?? scale) : closeScale && closeScales[closeScale]
      return `${money(sign, plain(amount), said)}${/[–-] ?$/.test(whole) ? ' to ' : ''}`
    },
  ],
  [
    new RegExp(`(${number}) ?¢`, 'g'),
    (_, amount = '') => `${decimal(plain(amount))} ${amount === '1' ? 'cent' : 'cents'}`,
  ],
  [new RegExp(`(${number}) ?([€£])`, 'g'), (_, amount = '', sign = '') => money(sign, plain(amount), undefined)],
  [new RegExp(`(?<![\\w.,-])(${number}) ?[–-] ?(?=\\d)(?!\\d+-\\d)`, 'g'), (_, from = '') => `${from} to `],
  [/(?<![\w.])[−-](?=\d)/g, () => 'minus '],
  [/\bv(\d+(?:\.\d+)*)\b/g, (_, version = '') => `version ${version}`],
  [/\b\d+(?:\.\d+){2,}\b/g, (version) => (version ?? '').split('.').map(cardinal).join(' point ')],
  [
    new RegExp(`(?<![\\w.])(${number}) ?(${unitNames})(?![\\w])`, 'g'),
    (_, amount = '', unit = '') => `${decimal(plain(amount))} ${units[unit]?.[plain(amount) === '1' ? 0 : 1] ?? unit}`,
  ],
  [
    /\b(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)\b/g,
    (_, digits = '') => (plain(digits).length > 9 ? digits : ordinal(plain(digits))),
  ],
  [/(?<![\d/])[1-3]\/[234](?![\d/])/g, (text = '') => fractions[text] ?? moreFractions[text] ?? text],
  [/#(?=\d)/g, () => 'number '],
  [
    /\b(in|since|by|from|until|till|of|year|before|after|during|around|early|late|mid) (1[1-9]\d\d|20\d\d)\b(?![,.]?\d| ?%|[²³]| to the power)/gi,
    (_, word = '', digits = '') => `${word} ${year(digits)}`,
  ],
  [/\bto (19\d\d|20\d\d)\b(?![,.]?\d|[²³]| to the power)/g, (_, digits = '') => `to ${year(digits)}`],
  [
    /\b(HTTP|status|code|error|an?|the|answers?|returns?|with|is|or|and|not|real|first|every|each|no) ([45][0-3]\d)\b(?![,.]?\d)/gi,
    (_, word = '', digits = '') => `${word} ${codeNumber(digits)}`,
  ],
  [/\b([a-z]+)(\d0\d)\b/gi, (_, letters = '', digits = '') => `${letters} ${codeNumber(digits)}`],
  [/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, () => ' '],
  // Removes thousands separators first, so that groups like 000 are not taken for codes that begin with 0.
  [/(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d)/g, (digits = '') => plain(digits)],
  [/(?<![\d.])0\d+\b(?!\.\d)/g, (digits = '') => spellDigits(digits)],
  [new RegExp(number, 'g'), (digits = '') => decimal(plain(digits))],
]

/** Dates, times, money, quantities and all other numbers of an English text in words; no digit is left. */
export const spokenNumbers = (text: string): string =>
  rules.reduce((spoken, [pattern, say]) => spoken.replace(pattern, say), spokenCounts(text))
