import { toSentences } from '../speech/sentences.ts'
import { speechSeconds } from '../speech/speech-seconds.ts'
import type { NarrationPlan, SpokenUnit } from './plan-narration.ts'

/** How much of a text is said in one go. */
export interface GroupLimits {
  readonly maxCharacters: number
  /** Of sound, so that no answer grows large at a slow pace. */
  readonly maxSeconds: number
}

/** Pauses behind a group at natural pace, in seconds; within a group the engine pauses by itself. */
const pauses = { sentence: 0.38, paragraph: 0.75 } as const
/** A sentence this long is divided. */
const maxSentenceCharacters = 300

/**
 * Turns units into calls of an engine that words numbers, names and pauses by itself and is asked over the network:
 * whole sentences, as many at a time as fit, because its melody is better and its calls are fewer then.
 */
export function planGroups(units: readonly SpokenUnit[], speed: number, limits: GroupLimits): NarrationPlan {
  const groups: { text: string; seconds: number; endsUnit: boolean }[] = []
  for (const unit of units) {
    const sentences = toSentences(unit.spoken, maxSentenceCharacters)
    for (const [index, { text }] of sentences.entries()) {
      const seconds = speechSeconds(text) / speed
      const endsUnit = index === sentences.length - 1
      const last = groups.at(-1)
      const joined = last && `${last.text}${last.endsUnit ? '\n\n' : ' '}${text}`
      if (last && joined && joined.length <= limits.maxCharacters && last.seconds + seconds <= limits.maxSeconds) {
        last.text = joined
        last.seconds += seconds
        last.endsUnit = endsUnit
      } else groups.push({ text, seconds, endsUnit })
    }
  }
  return {
    utterances: groups.map(({ text, endsUnit }, cue) => ({
      spoken: text,
      pauseSeconds: (endsUnit ? pauses.paragraph : pauses.sentence) / Math.sqrt(speed),
      cue,
    })),
    cueTexts: groups.map(({ text }) => text),
    chapters: [],
    seconds: groups.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}
