import { toSentences } from '../speech/sentences.ts'
import { speechSeconds } from '../speech/speech-seconds.ts'
import { type NarrationPlan, pairSentences, type Share, type SpokenUnit } from './plan-narration.ts'

/** How much of a text is said in one go. */
export interface GroupLimits {
  readonly maxCharacters: number
  /** Of sound, so that no answer grows large at a slow pace. */
  readonly maxSeconds: number
}

/** Pauses behind a group at natural pace, in seconds; within a group the engine pauses by itself. */
const pauses = { sentence: 0.38, paragraph: 0.75 } as const
/** A sentence or a part of one. */
interface Part extends Share {
  readonly text: string
  /** What the transcript shows meanwhile. */
  readonly shown: string
  readonly endsUnit: boolean
}

interface Group {
  readonly text: string
  readonly shares: readonly [Part, ...Part[]]
  readonly endsUnit: boolean
}

/** A sentence this long is divided. */
const maxSentenceCharacters = 300

/**
 * Turns units into calls of an engine that words numbers, names and pauses by itself and is asked over the network:
 * whole sentences, as many at a time as fit, because its melody is better and its calls are fewer then.
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
      // A chapter begins where a piece of sound does.
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

/** Both in one group, when they fit. */
function join({ text, shares, endsUnit }: Group, part: Part, limits: GroupLimits): Group | undefined {
  const joined = `${text}${endsUnit ? '\n\n' : ' '}${part.text}`
  if (joined.length > limits.maxCharacters || secondsOf(shares) + part.seconds > limits.maxSeconds) return undefined
  return { text: joined, shares: [...shares, part], endsUnit: part.endsUnit }
}
