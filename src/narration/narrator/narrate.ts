import { availableParallelism } from 'node:os'
import type { Master, MasterInput } from '../audio/master.ts'
import type { Mp3Format } from '../audio/mp3-encoder.ts'
import type { Quality, SpeechCall, SpeechEngine } from '../engines/speech-engine.ts'
import type { NarrationPlan, SpokenUnit } from '../plan/plan-narration.ts'
import { Unspeakable } from '../plan/unspeakable.ts'
import { makeEmbeddedSpeech } from './embedded-speech.ts'
import { findSentenceEnds } from './find-sentence-ends.ts'
import { openNarrationWorkers } from './narration-workers.ts'
import type { PcmCache } from './pcm-cache.ts'

/** What is read aloud, how, and the tags of the file. */
export type NarrationRequest = MasterInput['tag'] & {
  units: readonly SpokenUnit[]
  voiceId: string
  /** Pace, 0.5 to 2; 1 is natural. */
  speed: number
  model: Quality
}

/** A finished narration. */
export type Narration = {
  mp3: Uint8Array
  durationMs: number
  sampleRate: number
  /** The sentences of the transcript with their places in the sound. */
  cues: { text: string; startMs: number; endMs: number }[]
  chapters: { title: string; startMs: number }[]
  /** The voice that spoke; it may differ from the requested one. */
  voiceId: string
}

/** `signal` stops the narration; `onProgress` reports how many utterances are spoken, and of how many. */
export type NarrationOptions = { signal?: AbortSignal; onProgress?: (done: number, of: number) => void }

/**
 * Reads units aloud.
 *
 * @throws Unspeakable when the text cannot be read aloud; ProviderFailed when a provider fails
 */
export type Narrate = (request: NarrationRequest, options?: NarrationOptions) => Promise<Narration>

/** Settings of a narrator. */
export type NarratorOptions = {
  /** The speech engine; the embedded one when absent. */
  engine?: SpeechEngine
  /** Number of workers, and of sentences spoken at a time. Each worker takes 110 to 150 MB while it speaks. */
  threads?: number
  cache?: PcmCache
  /** Longest narration in seconds. Longer texts would hold memory (2 MB a minute) and a worker for too long. */
  maxSeconds?: number
  /** Niceness of the workers, 0 to 19 (Linux). */
  niceness?: number
}

/** A narrator; usable until it is closed. */
export interface Narrator {
  readonly engine: SpeechEngine
  readonly narrate: Narrate
  close(): Promise<void>
}

/** Factor by which real speech may exceed its estimate before it is stopped to save memory. */
const estimateSlack = 2

const formats: Readonly<Record<Quality, Mp3Format>> = {
  hd: { sampleRate: 48_000, kbps: 96 },
  turbo: { sampleRate: 24_000, kbps: 64 },
}

function assertSpeakable(plan: NarrationPlan, speed: number, maxSeconds: number): void {
  if (!(speed >= 0.5 && speed <= 2)) throw new Unspeakable('speed must be from 0.5 to 2')
  if (plan.utterances.length === 0) throw new Unspeakable('the text holds nothing that can be spoken')
  if (plan.seconds > maxSeconds)
    throw new Unspeakable(
      `spoken, the text would last about ${Math.round(plan.seconds / 60)} minutes; ${Math.round(maxSeconds / 60)} are the most`,
    )
}

/** Makes cues from the marks of the utterances and the ends of sentences in them. A cue may span several utterances. */
function toCues(
  plan: NarrationPlan,
  { marks }: Master,
  sampleRate: number,
  ends: readonly (readonly number[])[],
): Narration['cues'] {
  const toMs = (samples: number) => Math.round((samples * 1000) / sampleRate)
  const spans = new Map<number, { startMs: number; endMs: number }>()
  for (const [index, { cue: first, shares = [{ cue: first }] }] of plan.utterances.entries()) {
    const { start, end } = marks[index] ?? { start: 0, end: 0 }
    const at = (part: number) => toMs(start + (end - start) * part)
    for (const [place, { cue }] of shares.entries()) {
      const startMs = spans.get(cue)?.startMs ?? at(place === 0 ? 0 : (ends[index]?.[place - 1] ?? 0))
      spans.set(cue, { startMs, endMs: at(ends[index]?.[place] ?? 1) })
    }
  }
  return plan.cueTexts.map((text, cue) => ({ text, ...(spans.get(cue) ?? { startMs: 0, endMs: 0 }) }))
}

/**
 * Makes a narrator: an engine speaks sentences, several at a time, and worker processes make one file of them, so that
 * only messages pass over the event loop. Sentences are kept as 16-bit samples, 2 MB a minute at 16 kHz. With the
 * embedded engine equal requests give equal bytes. A text that can never be read aloud is rejected with `Unspeakable`.
 *
 * @example
 * const narrator = makeNarrator({ threads: 2 })
 * const { mp3 } = await narrator.narrate({ units: plainTextUnits('Hello.'), voiceId: '', speed: 1, model: 'hd', title: 'A', artist: 'B' })
 * await narrator.close()
 */
export function makeNarrator({
  threads = Math.max(1, availableParallelism()),
  cache,
  maxSeconds = 3600,
  niceness = 0,
  ...options
}: NarratorOptions = {}): Narrator {
  const workers = openNarrationWorkers({ threads, niceness })
  const engine = options.engine ?? makeEmbeddedSpeech(workers)

  async function speak(call: SpeechCall, signal: AbortSignal | undefined): Promise<Int16Array> {
    const key = engine.keyOf(call)
    const kept = await cache?.find(key)
    if (kept !== undefined) return kept
    const pcm = await engine.speak(call, signal)
    await cache?.keep(key, pcm)
    return pcm
  }

  /** Speaks all utterances, as many at a time as the engine allows, so that concurrent narrations share it evenly. */
  async function speakAll(
    plan: NarrationPlan,
    how: Omit<SpeechCall, 'spoken'>,
    { signal, onProgress }: NarrationOptions,
  ): Promise<Int16Array[]> {
    const spoken: Int16Array[] = []
    let hasFailed = false
    let next = 0
    let done = 0
    let room = engine.rateOf(how.voiceId) * maxSeconds * estimateSlack
    const lane = async () => {
      for (let index = next++; index < plan.utterances.length && !hasFailed; index = next++) {
        signal?.throwIfAborted()
        const pcm = await speak({ ...how, spoken: plan.utterances[index]?.spoken ?? '' }, signal)
        signal?.throwIfAborted()
        spoken[index] = pcm
        room -= pcm.length
        if (room < 0) throw new Unspeakable('spoken, the text lasts longer than it may')
        done += 1
        onProgress?.(done, plan.utterances.length)
      }
    }
    const lanes = Array.from({ length: Math.min(engine.parallel, plan.utterances.length) }, lane)
    try {
      await Promise.all(lanes)
      return spoken
    } catch (error) {
      // No further calls begin. Those in flight may have cost money: they finish and are cached for a later request.
      hasFailed = true
      throw error
    }
  }

  return {
    engine,
    async narrate({ units, voiceId, speed, model, ...tag }, options = {}) {
      options.signal?.throwIfAborted()
      const plan = engine.plan(units, speed)
      assertSpeakable(plan, speed, maxSeconds)
      const voice = engine.findVoice(voiceId)
      const spoken = await speakAll(plan, { voiceId: voice.id, speed, quality: model }, options)
      const format = formats[model]
      const rate = engine.rateOf(voice.id)
      const ends = plan.utterances.map(({ shares }, index) => {
        const pcm = spoken[index]
        return shares && pcm ? findSentenceEnds(pcm, rate, shares) : [1]
      })
      const input: MasterInput = {
        pieces: plan.utterances.map(({ pauseSeconds }, index) => ({
          pcm: spoken[index] ?? new Int16Array(0),
          pauseSeconds,
        })),
        rate,
        timbre: engine.timbre,
        format,
        tag,
        chapters: plan.chapters.map((chapter) => ({
          title: chapter.title,
          piece: plan.utterances.findIndex(({ cue }) => cue === chapter.cue),
        })),
      }
      const result = await workers.finish(input, options.signal)
      return {
        mp3: result.mp3,
        durationMs: Math.round((result.samples * 1000) / format.sampleRate),
        sampleRate: format.sampleRate,
        cues: toCues(plan, result, format.sampleRate, ends),
        chapters: result.chapters.map((chapter) => ({ title: chapter.title, startMs: chapter.startMs })),
        voiceId: voice.id,
      }
    },
    close: workers.close,
  }
}
