import { sha256 } from '../../core/sha256.ts'
import type { SpeechEngine } from '../engines/speech-engine.ts'
import { planNarration } from '../plan/plan-narration.ts'
import { embeddedSpeaks } from '../speech/can-speak.ts'
import { engineRate, engineVersion, voiceSettings } from '../speech/flite.ts'
import { resolveVoice, voices } from '../speech/voices.ts'
import type { NarrationWorkers } from './narration-workers.ts'

/** The embedded engine: English, without a key or network, equal bytes for equal text. */
export const makeEmbeddedSpeech = (workers: NarrationWorkers): SpeechEngine => ({
  name: 'embedded',
  voices,
  speaks: embeddedSpeaks,
  timbre: 'synthetic',
  parallel: workers.threads,
  findVoice: resolveVoice,
  plan: planNarration,
  keyOf({ spoken, voiceId, speed }) {
    const voice = resolveVoice(voiceId)
    return sha256(engineVersion, voice.base, JSON.stringify(voiceSettings(voice, speed)), spoken)
  },
  rateOf: (voiceId) => Math.round(engineRate * resolveVoice(voiceId).formant),
  speak: ({ spoken, voiceId, speed }, signal) => workers.speak({ spoken, voice: resolveVoice(voiceId), speed }, signal),
})
