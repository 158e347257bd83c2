import type { Voice, Voices } from './voice.ts'

const women = /^(?:woman|women|girl|lady|ladies|female|queen|princess|mother|aunt|sister|she|her)$/
const men = /^(?:man|men|boy|guy|male|gentleman|king|prince|father|uncle|brother|he|him)$/
/** Names of voices of other services, so that a client written for them gets a voice of the expected gender. */
const knownWomen = /^(?:nova|shimmer|coral|sage|alloy|marin|samantha|joanna|jenny|aria)$/
const knownMen = /^(?:echo|onyx|fable|ash|ballad|verse|cedar|adam|matthew|guy|davis)$/
/** In order of precedence. */
const manners = [
  ['deep', /^(?:deep|bass|low|old|elder|elderly|mature|wise|strong|magnetic)$/],
  ['bright', /^(?:graceful|bright|young|lively|upbeat|sweet|girl|princess)$/],
  ['calm', /^(?:calm|soft|gentle|patient|serene|steady|warm|kind)$/],
] as const

const wordsOf = (voiceId: string): string[] =>
  voiceId
    .slice(0, 128)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)

/** The same for the same name in every process: FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const sign of text) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return sum
}

const compact = (id: string): string =>
  wordsOf(id)
    .join('')
    .replace(/^english/, '')

function genderOf(words: readonly string[]): Voice['gender'] {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  if (has(women) || has(knownWomen)) return 'female'
  return has(men) || has(knownMen) ? 'male' : 'neutral'
}

/**
 * The voice of that name, or the nearest one: the sex named in it decides, then its adjectives, then a hash, so that two
 * names of one sex are often two voices and a name is always the same voice. Any other name is the first voice.
 *
 * @example nearestVoice(voices, 'Wise_Gentleman').id // 'English_DeepMan'
 */
export function nearestVoice<Kind extends Voice>(voices: Voices<Kind>, voiceId: string): Kind {
  const exact = voices.find(({ id }) => id === voiceId) ?? voices.find(({ id }) => compact(id) === compact(voiceId))
  if (exact) return exact
  const words = wordsOf(voiceId)
  const gender = genderOf(words)
  const same = gender === 'neutral' ? [] : voices.filter((voice) => voice.gender === gender)
  const alike = manners
    .filter(([, pattern]) => words.some((word) => pattern.test(word)))
    .map(([manner]) => same.filter((voice) => voice.manner === manner))
    .find((found) => found.length > 0)
  const candidates = alike ?? same
  return candidates[hash(words.join(' ')) % candidates.length] ?? voices[0]
}
