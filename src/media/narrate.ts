import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import Tinypool from 'tinypool'
import { sha256 } from '../sha256.ts'
import type { Master, MasterInput } from './audio/master.ts'
import type { Mp3Format } from './audio/mp3-encoder.ts'
import type { SpeakTask } from './narration-worker.ts'
import type { PcmCache } from './pcm-cache.ts'
import { type NarrationPlan, planNarration, type SpokenUnit } from './plan-narration.ts'
import { engineRate, engineVersion, voiceSettings } from './speech/flite.ts'
import { resolveVoice, type Voice } from './speech/voices.ts'
import { makeTurns } from './turns.ts'

/** What is read, how, and what the file says about itself. */
export type NarrationRequest = {
  units: readonly SpokenUnit[]
  voiceId: string
  /** Pace, 0.5 to 2; 1 is natural. */
  speed: number
  /** Quality of the file, not of the voice: 48 kHz and 96 kbit/s, or 24 kHz and 64 kbit/s for `turbo`. */
  model: 'hd' | 'turbo' | 'speech-2.8-hd' | 'speech-2.8-turbo'
  title: string
  artist: string
  album?: string
  /** JPEG or PNG; 600 pixels square are enough, because it delays the first sound. */
  cover?: Uint8Array
}

/** A sentence of the transcript with its place in the sound. */
export type Cue = { text: string; startMs: number; endMs: number }

/** A finished narration. */
export type Narration = {
  mp3: Uint8Array
  durationMs: number
  sampleRate: number
  cues: Cue[]
  chapters: { title: string; startMs: number }[]
  /** The voice that spoke, which is not always the one asked for. */
  voiceId: string
}

/** Progress and the way to stop. */
export type NarrationOptions = { signal?: AbortSignal; onProgress?: (done: number, of: number) => void }

/** Reads units aloud. */
export type Narrate = (request: NarrationRequest, options?: NarrationOptions) => Promise<Narration>

/** How a narrator works. */
export type NarratorOptions = {
  /** Sentences spoken at a time; each worker takes 110 to 150 MB while it speaks. */
  threads?: number
  cache?: PcmCache
  /** Longer texts are refused: they would hold memory (2 MB a minute) and a worker for too long. */
  maxSeconds?: number
  /** 0 to 19: how far the workers stand back behind everything else (Linux). */
  niceness?: number
}

const workerFile = fileURLToPath(new URL('narration-worker.ts', import.meta.url))
const idleMs = 30_000
/** How far real speech may exceed its estimate before memory is at risk. */
const estimateSlack = 2

const formatOf = (model: NarrationRequest['model']): Mp3Format =>
  model.endsWith('turbo') ? { sampleRate: 24_000, kbps: 64 } : { sampleRate: 48_000, kbps: 96 }

const cacheKey = ({ spoken, voice, speed }: SpeakTask): string =>
  sha256(engineVersion, voice.base, JSON.stringify(voiceSettings(voice, speed)), spoken)

function assertSpeakable(plan: NarrationPlan, speed: number, maxSeconds: number): void {
  if (!(speed >= 0.5 && speed <= 2)) throw new RangeError('speed must be from 0.5 to 2')
  if (plan.utterances.length === 0) throw new RangeError('the text holds nothing that can be spoken')
  if (plan.seconds > maxSeconds)
    throw new RangeError(`spoken, the text would last about ${Math.round(plan.seconds / 60)} minutes`)
}

/** Cues from the marks of the utterances; a cue of several utterances spans them all. */
function toCues(plan: NarrationPlan, { marks }: Master, sampleRate: number): Cue[] {
  const toMs = (samples: number) => Math.round((samples * 1000) / sampleRate)
  const spans = new Map<number, { startMs: number; endMs: number }>()
  for (const [index, { cue }] of plan.utterances.entries()) {
    const { start, end } = marks[index] ?? { start: 0, end: 0 }
    spans.set(cue, { startMs: spans.get(cue)?.startMs ?? toMs(start), endMs: toMs(end) })
  }
  return plan.cueTexts.map((text, cue) => ({ text, ...(spans.get(cue) ?? { startMs: 0, endMs: 0 }) }))
}

/**
 * The embedded narrator: a pool of worker threads that speak sentences in parallel and then make one file of them.
 * Only messages pass over the event loop. Sentences travel and wait as 16-bit samples at 16 kHz, 2 MB a minute.
 * Equal requests give equal bytes. A text that `planNarration` finds empty or too long is a `RangeError`.
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
}: NarratorOptions = {}): { narrate: Narrate; close(): Promise<void> } {
  const pool = new Tinypool({
    filename: workerFile,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    workerData: { niceness },
  })
  // Nothing waits inside the pool: it forgets tasks that wait for a worker which an abort has ended.
  const inTurn = makeTurns(threads)

  async function speak(task: SpeakTask): Promise<Int16Array> {
    const key = cacheKey(task)
    const kept = await cache?.find(key)
    if (kept !== undefined) return kept
    const pcm: Int16Array = await pool.run(task, { name: 'speak' })
    await cache?.keep(key, pcm)
    return pcm
  }

  /** All sentences, as many at a time as there are workers, so that jobs which run side by side share them evenly. */
  async function speakAll(
    plan: NarrationPlan,
    voice: Voice,
    speed: number,
    { signal, onProgress }: NarrationOptions,
  ): Promise<Int16Array[]> {
    const spoken: Int16Array[] = []
    let next = 0
    let done = 0
    let room = engineRate * maxSeconds * estimateSlack
    let failed = false
    const lane = async () => {
      for (let index = next++; index < plan.utterances.length && !failed; index = next++) {
        const text = plan.utterances[index]?.spoken ?? ''
        try {
          spoken[index] = await inTurn(async () => {
            signal?.throwIfAborted()
            return await speak({ spoken: text, voice, speed })
          })
        } catch (error) {
          failed = true
          throw error
        }
        signal?.throwIfAborted()
        room -= spoken[index]?.length ?? 0
        if (room < 0) {
          failed = true
          throw new RangeError('spoken, the text lasts longer than it may')
        }
        done += 1
        onProgress?.(done, plan.utterances.length)
      }
    }
    await Promise.all(Array.from({ length: Math.min(threads, plan.utterances.length) }, lane))
    return spoken
  }

  async function finish(input: MasterInput, signal: AbortSignal | undefined): Promise<Master> {
    const transferList = input.pieces.map(({ pcm }) => pcm.buffer).filter((buffer) => buffer instanceof ArrayBuffer)
    try {
      return await inTurn(async () => {
        signal?.throwIfAborted()
        return await pool.run(input, { name: 'finish', transferList, ...(signal ? { signal } : {}) })
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }

  return {
    async narrate({ units, voiceId, speed, model, title, artist, album, cover }, options = {}) {
      options.signal?.throwIfAborted()
      const plan = planNarration(units, speed)
      assertSpeakable(plan, speed, maxSeconds)
      const voice = resolveVoice(voiceId)
      const spoken = await speakAll(plan, voice, speed, options)
      const format = formatOf(model)
      const input: MasterInput = {
        pieces: plan.utterances.map(({ pauseSeconds }, index) => ({
          pcm: spoken[index] ?? new Int16Array(0),
          pauseSeconds,
        })),
        rate: Math.round(engineRate * voice.formant),
        format,
        tag: { title, artist, ...(album === undefined ? {} : { album }), ...(cover === undefined ? {} : { cover }) },
        chapters: plan.chapters.map((chapter) => ({
          title: chapter.title,
          piece: plan.utterances.findIndex(({ cue }) => cue === chapter.cue),
        })),
      }
      const result = await finish(input, options.signal)
      return {
        mp3: result.mp3,
        durationMs: Math.round((result.samples * 1000) / format.sampleRate),
        sampleRate: format.sampleRate,
        cues: toCues(plan, result, format.sampleRate),
        chapters: result.chapters.map((chapter) => ({ title: chapter.title, startMs: chapter.startMs })),
        voiceId: voice.id,
      }
    },
    close: () => pool.destroy(),
  }
}
