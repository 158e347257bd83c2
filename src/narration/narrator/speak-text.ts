import { makeTurns } from '../../core/make-turns.ts'
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

/** A text as one MP3, and the engine that spoke it. */
export interface SpokenText extends FinishedNarration {
  readonly engine: SpeechEngine['name']
}

/**
 * Reads a text aloud.
 *
 * @throws Unspeakable when the text can never be read aloud; ProviderFailed when a provider fails
 */
export type SpeakText = (text: TextToSpeak, signal?: AbortSignal) => Promise<SpokenText>

interface Deps {
  readonly narrator: Narrator
  readonly finished: FinishedNarrations
  /** Concurrent narrations. Others wait, so that under load the first ones finish soon. */
  readonly atATime: number
  /** Called with errors of the cache. */
  readonly report: (error: unknown) => void
}

/**
 * Part of the cache key: changed whenever the same text would be worded, mastered or tagged differently, which the
 * versions of engines do not show.
 */
const wordingVersion = '3'
const maxTitleLength = 80

/** The beginning of the text as the title in the tags, which players show. */
const titleOf = (units: readonly SpokenUnit[]): string => {
  const text = (units[0]?.text ?? '').replace(/\s+/g, ' ')
  const signs = [...text]
  return signs.length <= maxTitleLength ? text : `${signs.slice(0, maxTitleLength - 1).join('')}…`
}

/** Whether an engine can read a text. Called before payment, and again before the text is read. */
export const canSpeakUnits = (units: readonly SpokenUnit[], speaks: Speaks): Speakable =>
  canSpeak(units.map(({ spoken }) => spoken).join('\n'), speaks)

/**
 * Makes a function that reads texts aloud and caches the results by words, voice, pace and quality. Requests for the
 * same narration are answered one after the other, so that a provider is paid for the first one only.
 */
export function makeSpeakText({ narrator, finished, atATime, report }: Deps): SpeakText {
  const { engine } = narrator
  const limited = limitConcurrency(atATime)
  const turns = makeTurns()
  const note = (error: unknown) => void report(error)

  async function make({ units, voiceId, speed, quality }: TextToSpeak, signal: AbortSignal | undefined) {
    const speakable = canSpeakUnits(units, engine.speaks)
    if (speakable.is === 'unspeakable') throw new Unspeakable(speakable.reason)
    const { name: artist } = engine.findVoice(voiceId)
    const request = { units, voiceId, speed, model: quality, title: titleOf(units), artist }
    const { mp3, durationMs, cues, chapters } = await limited(() => narrator.narrate(request, signal ? { signal } : {}))
    return { mp3, durationMs, voiceId, cues, chapters }
  }

  return async ({ voiceId, ...text }, signal) => {
    const { units, speed, quality } = text
    const voice = engine.findVoice(voiceId)
    const how = engine.keyOf({ spoken: '', voiceId: voice.id, speed, quality })
    const key = sha256(engine.name, how, voice.id, String(speed), quality, wordingVersion, JSON.stringify(units))
    return turns.take(key, async () => {
      // When the cache cannot be read, the narration is made again.
      const kept = await finished.find(key).catch(note)
      if (kept) return { ...kept, engine: engine.name }
      const made = await make({ ...text, voiceId: voice.id }, signal)
      // When the result cannot be cached, a later request makes it again.
      await finished.keep(key, made).catch(note)
      return { ...made, engine: engine.name }
    })
  }
}
