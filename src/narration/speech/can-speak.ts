import { guessLanguages } from './guess-languages.ts'

/** Whether an engine can read a text, or why not. */
export type Speakable = { is: 'speakable' } | { is: 'unspeakable'; reason: string }

/** An engine and its languages, for messages. */
export interface Speaks {
  /** The engine as a sentence names it. */
  readonly who: string
  /** BCP 47 tags without regions; absent for an engine that may speak any language. */
  readonly languages?: readonly string[] | undefined
}

/** The embedded engine. */
export const embeddedSpeaks = { who: 'the embedded engine', languages: ['en'] } as const satisfies Speaks

const names = new Intl.DisplayNames('en', { type: 'language' })
const list = new Intl.ListFormat('en', { type: 'conjunction' })
const choice = new Intl.ListFormat('en', { type: 'disjunction' })
/** Most languages that a message names. */
const mostNamed = 3

const nameOf = (language: string): string => names.of(language) ?? language
/** The primary language of a BCP 47 tag; Norwegian Bokmål and Nynorsk (nb, nn) both count as `no`. */
const toPrimary = (tag: string): string => (tag.trim().toLowerCase().split('-')[0] ?? '').replace(/^n[bn]$/, 'no')

function toReason({ who, languages = [] }: Speaks, seems: readonly string[], isLatin: boolean): string {
  const share = 'more than 30 % of the letters are not Latin'
  const foreign = choice.format(seems.slice(0, mostNamed).map(nameOf))
  const what = seems.length === 0 ? share : `the text seems to be ${foreign}${isLatin ? '' : ` (${share})`}`
  return `${what}, and ${who} speaks ${list.format(languages.map(nameOf))}`
}

/**
 * Whether an engine speaks the language of a text: both the declared one and the one that its words suggest. Called
 * before payment. English that is short or unusual is never taken for another language.
 *
 * @example canSpeak('これはテストです。').is // 'unspeakable'
 */
export function canSpeak(text: string, speaks: Speaks = embeddedSpeaks, declared?: string): Speakable {
  const { who } = speaks
  const languages = speaks.languages?.map(toPrimary)
  if (declared !== undefined && languages && !languages.includes(toPrimary(declared))) {
    const other = JSON.stringify(declared.slice(0, 35))
    return { is: 'unspeakable', reason: `${who} speaks ${list.format(languages.map(nameOf))}, not ${other}` }
  }
  if (!/[\p{L}\p{Nd}]/u.test(text)) return { is: 'unspeakable', reason: 'the text holds no words' }
  if (!languages) return { is: 'speakable' }
  const { languages: seems, isLatin } = guessLanguages(text)
  const isForeign = isLatin ? seems.length > 0 : true
  if (!isForeign || seems.some((language) => languages.includes(language))) return { is: 'speakable' }
  return { is: 'unspeakable', reason: toReason(speaks, seems, isLatin) }
}
