import { toSentences } from '../speech/sentences.ts'
import { toSpeechText } from '../speech/to-speech-text.ts'

/** A paragraph, heading, list item or table row to be read. */
export type SpokenUnit = {
  /** What the transcript shows. */
  readonly text: string
  /** What is spoken; equal to `text` unless it has to be worded differently. */
  readonly spoken: string
  /** Title of the chapter that begins here. */
  readonly chapter?: string
  /** Whether the next unit follows after the pause of a sentence, as in lists and tables. */
  readonly isTight?: boolean
}

/** A cue within an utterance, and its estimated length. */
export type Share = { readonly cue: number; readonly seconds: number }

/** One call of the engine. A sentence that is too long for one call becomes several utterances of one cue. */
export type Utterance = {
  spoken: string
  pauseSeconds: number
  /** Index of the first cue that is heard in it. */
  cue: number
  /** All cues that are heard in it, in order, if there may be several. */
  shares?: readonly Share[]
}

/** The utterances in order, and the texts of the transcript. */
export type NarrationPlan = {
  utterances: Utterance[]
  cueTexts: string[]
  chapters: { title: string; cue: number }[]
  /** Estimated length of the narration. */
  seconds: number
}

/** Pauses at natural pace, in seconds. */
const pauses = { part: 0.12, sentence: 0.38, paragraph: 0.75 } as const
/** Measured with a mixed text in which numbers are already written as words; pauses included. */
const secondsPerCharacter = 0.068
/** Single letters and words without vowels are spelled. */
const spelled = /\b(?:[A-Za-z]|[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz]{2,})\b/g
const secondsPerLetter = 0.45

const secondsOf = (spoken: string): number => {
  const letters = spoken.match(spelled)?.reduce((sum, word) => sum + word.length, 0) ?? 0
  return (spoken.length - letters) * secondsPerCharacter + letters * secondsPerLetter
}

type Pair = { text: string; spoken: string }

/**
 * Sentences of the transcript beside sentences of the speech. They correspond one to one unless the speech was worded
 * differently; then the longer list is shared out evenly, in order, so that nothing is lost and nothing is early.
 */
export function pairSentences(text: string, spoken: string): Pair[] {
  const said = toSentences(spoken).map((sentence) => sentence.text)
  if (text === spoken) return said.map((sentence) => ({ text: sentence, spoken: sentence }))
  const shown = toSentences(text).map((sentence) => sentence.text)
  const count = Math.min(shown.length, said.length)
  if (count === 0) return [{ text, spoken }]
  const share = (list: string[], index: number) =>
    list.slice(Math.floor((index * list.length) / count), Math.floor(((index + 1) * list.length) / count)).join(' ')
  return Array.from({ length: count }, (_, index) => ({ text: share(shown, index), spoken: share(said, index) }))
}

/**
 * Plans the calls of the embedded engine. It is pure and fast, so that a route can refuse a text before it is paid for:
 * no utterances means that there is nothing to say, and `seconds`, the estimated length, bounds the work.
 */
export function planNarration(units: readonly SpokenUnit[], speed: number): NarrationPlan {
  const plan: NarrationPlan = { utterances: [], cueTexts: [], chapters: [], seconds: 0 }
  let waiting = ''
  for (const unit of units) {
    let isFirst = true
    for (const { text, spoken } of pairSentences(unit.text, unit.spoken)) {
      const parts = toSentences(toSpeechText(spoken))
      const last = plan.cueTexts.length - 1
      if (parts.length === 0) {
        // The sentence has nothing to speak. The transcript shows it with the neighbouring cue.
        if (last < 0 || (isFirst && unit.chapter !== undefined)) waiting = `${waiting} ${text}`.trim()
        else plan.cueTexts[last] = `${plan.cueTexts[last]} ${text}`.trim()
        continue
      }
      const cue = plan.cueTexts.push(`${waiting} ${text}`.trim()) - 1
      waiting = ''
      if (isFirst && unit.chapter !== undefined) plan.chapters.push({ title: unit.chapter, cue })
      isFirst = false
      for (const part of parts)
        plan.utterances.push({
          spoken: part.text,
          pauseSeconds: (part.isPart ? pauses.part : pauses.sentence) / Math.sqrt(speed),
          cue,
        })
    }
    const end = plan.utterances.at(-1)
    if (end !== undefined && unit.isTight !== true) end.pauseSeconds = pauses.paragraph / Math.sqrt(speed)
  }
  const seconds = plan.utterances.reduce((sum, { spoken }) => sum + secondsOf(spoken), 0)
  return { ...plan, seconds: seconds / speed }
}

/** A plain text as units, one for each paragraph. */
export const plainTextUnits = (text: string): SpokenUnit[] =>
  text
    .split(/\r?\n[ \t]*(?:\r?\n)+/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => ({ text: paragraph, spoken: paragraph }))
