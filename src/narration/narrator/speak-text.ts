import { sha256 } from '../../core/sha256.ts'
import { limitConcurrency } from '../../workers/limit-concurrency.ts'
import type { Quality, SpeechEngine } from '../engines/speech-engine.ts'
import type { SpokenUnit } from '../plan/plan-narration.ts'
import { Unspeakable } from '../plan/unspeakable.ts'
import { canSpeak, type Speakable, type Speaks } from '../speech/can-speak.ts'
import type { FinishedNarration, FinishedNarrations } from './finished-narrations.ts'
import type { NarrationRequest, Narrator } from './narrate.ts'

/** What is read aloud, and how. */
export type TextToSpeak = Pick<NarrationRequest, 'units' | 'voiceId' | 'speed'> & { readonly quality: Quality }

/** A text as one file, and who spoke it. */
export interface SpokenText extends FinishedNarration {
  readonly engine: SpeechEngine['name']
}

/** Reads a text aloud; `Unspeakable` when it never would, `ProviderFailed` when a provider did not. */
export type SpeakText = (text: TextToSpeak, signal?: AbortSignal) => Promise<SpokenText>

interface Deps {
  readonly narrator: Narrator
  readonly finished: FinishedNarrations
  /** Narrations at the same time; others wait, so that under load the first are done soon and not all of them late. */
  readonly atATime: number
  /** Told what went wrong beside the work. */
  readonly report: (error: unknown) => void
}

/** Changed whenever the same text would be worded, mastered or tagged differently, which no engine's version tells. */
const wordingVersion = '3'
const maxTitleLength = 80

/** The beginning of the text, which is what a player shows of a file that has no other name. */
const titleOf = (units: readonly SpokenUnit[]): string => {
  const text = (units[0]?.text ?? '').replace(/\s+/g, ' ')
  const signs = [...text]
  return signs.length <= maxTitleLength ? text : `${signs.slice(0, maxTitleLength - 1).join('')}…`
}

/** Whether an engine can read a text: asked before anything is paid, and again before it is read. */
export const canSpeakUnits = (units: readonly SpokenUnit[], speaks: Speaks): Speakable =>
  canSpeak(units.map(({ spoken }) => spoken).join('\n'), speaks)

/** Reads texts aloud, each only once: the same words in the same voice, pace and quality are remembered. */
export function makeSpeakText({ narrator, finished, atATime, report }: Deps): SpeakText {
  const { engine } = narrator
  const limited = limitConcurrency(atATime)
  return async ({ units, voiceId, speed, quality }, signal) => {
    const voice = engine.findVoice(voiceId)
    const how = engine.keyOf({ spoken: '', voiceId: voice.id, speed, quality })
    const key = sha256(engine.name, how, voice.id, String(speed), quality, wordingVersion, JSON.stringify(units))
    const kept = await finished.find(key)
    if (kept) return { ...kept, engine: engine.name }
    const speakable = canSpeakUnits(units, engine.speaks)
    if (speakable.is === 'unspeakable') throw new Unspeakable(speakable.reason)
    const request = { units, voiceId: voice.id, speed, model: quality, title: titleOf(units), artist: voice.name }
    const { mp3, durationMs, cues, chapters } = await limited(() => narrator.narrate(request, signal ? { signal } : {}))
    const made = { mp3, durationMs, voiceId: voice.id, cues, chapters }
    // A text that cannot be remembered is only made again.
    await finished.keep(key, made).catch(report)
    return { ...made, engine: engine.name }
  }
}
