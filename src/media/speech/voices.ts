/** How one voice is spoken: a base voice of the engine and what turns it into this one. */
export type Voice = {
  /** Name as buyers and settings write it. */
  readonly id: string
  readonly base: 'slt' | 'rms'
  readonly meanHz: number
  readonly deviationHz: number
  /** Factor on every resonance; below 1 is a longer throat. */
  readonly formant: number
  /** Factor on every duration, before the pace asked for. */
  readonly stretch: number
}

const sereneWoman: Voice = {
  id: 'English_SereneWoman',
  base: 'slt',
  meanHz: 164,
  deviationHz: 38,
  formant: 1,
  stretch: 1.08,
}
const gracefulLady: Voice = {
  id: 'English_GracefulLady',
  base: 'slt',
  meanHz: 178,
  deviationHz: 42,
  formant: 1.03,
  stretch: 1,
}
const calmMan: Voice = {
  id: 'English_CalmMan',
  base: 'rms',
  meanHz: 100,
  deviationHz: 24,
  formant: 1,
  stretch: 0.98,
}
const deepMan: Voice = { id: 'English_DeepMan', base: 'rms', meanHz: 88, deviationHz: 20, formant: 0.93, stretch: 1 }

/** The voices there are; the first speaks when nothing is known of the one asked for. */
export const voices: readonly [Voice, ...Voice[]] = [sereneWoman, gracefulLady, calmMan, deepMan]

const women = /^(?:woman|women|girl|lady|ladies|female|queen|princess|mother|aunt|sister|she|her)$/
const men = /^(?:man|men|boy|guy|male|gentleman|king|prince|father|uncle|brother|he|him)$/
/** Voices of other services, so that a client written for them gets the sex it expects. */
const knownWomen = /^(?:nova|shimmer|coral|sage|alloy|marin|samantha|joanna|jenny|aria)$/
const knownMen = /^(?:echo|onyx|fable|ash|ballad|verse|cedar|adam|matthew|guy|davis)$/
const deep = /^(?:deep|bass|low|old|elder|elderly|mature|wise|strong|magnetic)$/
const calm = /^(?:calm|soft|gentle|patient|serene|steady|warm|kind)$/
const graceful = /^(?:graceful|bright|young|lively|upbeat|sweet|girl|princess)$/

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

/**
 * The voice of that name, or the nearest one: the sex named in it decides, then its adjectives, then a hash, so that two
 * names of one sex are often two voices and a name is always the same voice. Any other name is the first voice.
 *
 * @example resolveVoice('Wise_Gentleman').id // 'English_DeepMan'
 */
export function resolveVoice(voiceId: string): Voice {
  const exact = voices.find(({ id }) => compact(id) === compact(voiceId))
  if (exact) return exact
  const words = wordsOf(voiceId)
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  const isEven = hash(words.join(' ')) % 2 === 0
  if (has(women) || has(knownWomen)) {
    if (has(graceful)) return gracefulLady
    return has(calm) || isEven ? sereneWoman : gracefulLady
  }
  if (has(men) || has(knownMen)) {
    if (has(deep)) return deepMan
    return has(calm) || isEven ? calmMan : deepMan
  }
  return sereneWoman
}
