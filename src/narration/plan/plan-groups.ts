import { toSentences } from '../speech/sentences.ts'
import { speechSeconds } from '../speech/speech-seconds.ts'
import { type NarrationPlan, pairSentences, type Share, type SpokenUnit } from './plan-narration.ts'

/** Limits of what is spoken in one call. */
export interface GroupLimits {
  readonly maxCharacters: number
  /** Seconds of sound, so that a response does not grow too large at a slow pace. */
  readonly maxSeconds: number
}

/** Pauses behind a group at natural pace, in seconds; within a group the engine pauses by itself. */
const pauses = { sentence: 0.38, paragraph: 0.75 } as const
/** A sentence or a part of one. */
interface Part extends Share {
  readonly text: string
  /** The sentence that the transcript shows. */
  readonly shown: string
  readonly endsUnit: boolean
}

interface Group {
  readonly text: string
  readonly shares: readonly [Part, ...Part[]]
  readonly endsUnit: boolean
}

/** Sentences that are longer than this are divided. */
const maxSentenceCharacters = 300

/**
 * Plans the calls of an engine that words numbers, names and pauses itself and is called over the network: whole
 * sentences, as many per call as fit, which sounds better and needs fewer calls.
 */
export function planGroups(units: readonly SpokenUnit[], speed: number, limits: GroupLimits): NarrationPlan {
  const groups: Group[] = []
  const cueTexts: string[] = []
  const chapters: NarrationPlan['chapters'] = []
  for (const unit of units) {
    const parts = toParts(unit, cueTexts.length, speed)
    const [first] = parts
    if (first && unit.chapter !== undefined) chapters.push({ title: unit.chapter, cue: first.cue })
    for (const part of parts) {
      const last = groups.at(-1)
      // A chapter must begin with a new piece of sound.
      const beginsChapter = part === first && unit.chapter !== undefined
      const joined = last && !beginsChapter ? join(last, part, limits) : undefined
      if (joined) groups[groups.length - 1] = joined
      else groups.push({ text: part.text, shares: [part], endsUnit: part.endsUnit })
      if (cueTexts.length === part.cue) cueTexts.push(part.shown)
    }
  }
  return {
    utterances: groups.map(({ text, endsUnit, shares }) => ({
      spoken: text,
      pauseSeconds: (endsUnit ? pauses.paragraph : pauses.sentence) / Math.sqrt(speed),
      cue: shares[0].cue,
      shares: shares.map(({ cue, seconds }) => ({ cue, seconds })),
    })),
    cueTexts,
    chapters,
    seconds: groups.reduce((sum, { shares }) => sum + secondsOf(shares), 0),
  }
}

const secondsOf = (shares: readonly Share[]): number => shares.reduce((sum, { seconds }) => sum + seconds, 0)

/** The sentences of a unit, divided where they are too long. */
function toParts(unit: SpokenUnit, firstCue: number, speed: number): Part[] {
  const heard = pairSentences(unit.text, unit.spoken)
    .map(({ text, spoken }) => ({ shown: text, texts: toSentences(spoken, maxSentenceCharacters) }))
    .filter(({ texts }) => texts.length > 0)
  return heard.flatMap(({ shown, texts }, place) =>
    texts.map(({ text }, index) => ({
      text,
      shown,
      cue: firstCue + place,
      seconds: speechSeconds(text) / speed,
      endsUnit: place === heard.length - 1 && index === texts.length - 1,
    })),
  )
}

/** The group with the part appended; undefined when that exceeds the limits. */
function join({ text, shares, endsUnit }: Group, part: Part, limits: GroupLimits): Group | undefined {
  const joined = `${text}${endsUnit ? '\n\n' : ' '}${part.text}`
  if (joined.length > limits.maxCharacters || secondsOf(shares) + part.seconds > limits.maxSeconds) return undefined
  return { text: joined, shares: [...shares, part], endsUnit: part.endsUnit }
}
