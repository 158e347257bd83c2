import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/sha256.ts'
import { writeAtomically } from '../../storage/write-atomically.ts'
import { sampleTextOf } from '../engines/voice-list.ts'
import { plainTextUnits } from '../plan/plan-narration.ts'
import { engineVersion, voiceSettings } from '../speech/flite.ts'
import { type EmbeddedVoice, voices } from '../speech/voices.ts'
import type { Narrate } from './narrate.ts'

/** An MP3 that never changes: its name contains a digest of everything that decides its sound. */
export interface VoiceSample {
  readonly path: string
  readonly name: string
  readonly sizeBytes: number
}

/** Samples of the embedded voices. */
export interface VoiceSamples {
  readonly voiceIds: readonly string[]
  /** The sample of a voice; made at the first request. */
  get(voiceId: string): Promise<VoiceSample>
}

const nameOf = (voice: EmbeddedVoice): string =>
  `${voice.id}-${sha256(engineVersion, JSON.stringify(voiceSettings(voice, 1)), sampleTextOf(voice)).slice(0, 16)}`

/**
 * Keeps samples of the embedded voices in a folder. Each is made once, concurrent requests share the same work, and a
 * narrator with one thread makes one after another, so that repeated requests cost little.
 */
export function makeVoiceSamples(folder: string, narrate: Narrate): VoiceSamples {
  const making = new Map<string, Promise<VoiceSample>>()

  async function findOrMake(voice: EmbeddedVoice): Promise<VoiceSample> {
    const name = nameOf(voice)
    const path = join(folder, `${name}.mp3`)
    const kept = await stat(path).catch(() => undefined)
    if (kept) return { path, name, sizeBytes: kept.size }
    const units = plainTextUnits(sampleTextOf(voice))
    const about = { title: voice.name, artist: voice.name }
    const { mp3 } = await narrate({ units, voiceId: voice.id, speed: 1, model: 'hd', ...about })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeAtomically(path, mp3, { mode: 0o600 })
    return { path, name, sizeBytes: mp3.byteLength }
  }

  return {
    voiceIds: voices.map(({ id }) => id),
    get(voiceId) {
      const voice = voices.find(({ id }) => id === voiceId)
      if (!voice) return Promise.reject(new Error('there is no such voice'))
      const made = making.get(voiceId) ?? findOrMake(voice).finally(() => making.delete(voiceId))
      making.set(voiceId, made)
      return made
    },
  }
}
