import { sha256 } from '../../core/sha256.ts'
import { ProviderFailed } from '../../providers/provider-failed.ts'
import { type GroupLimits, planGroups } from '../plan/plan-groups.ts'
import type { Speaks } from '../speech/can-speak.ts'
import { nearestVoice } from '../speech/nearest-voice.ts'
import type { Voices } from '../speech/voice.ts'
import type { SpeechCall, SpeechEngine } from './speech-engine.ts'

/** The parts of a hosted speech engine that differ between providers. */
export interface HostedVoice {
  readonly name: SpeechEngine['name']
  /** Address, model and everything else that decides the sound; part of the cache keys. */
  readonly identity: readonly string[]
  readonly voices: Voices
  /** Languages that the provider speaks; undefined when unknown. */
  readonly languages: Speaks['languages']
  /** Samples per second. */
  readonly rate: number
  readonly limits: GroupLimits
  /** One request to the provider, without a retry. */
  say(call: SpeechCall, signal: AbortSignal | undefined): Promise<Int16Array>
}

/** Most concurrent requests for one narration, because providers limit their rate and number. */
const parallel = 2

/** A speech engine that is called over the network. */
export const makeHostedSpeech = ({
  name,
  identity,
  voices,
  languages,
  rate,
  limits,
  say,
}: HostedVoice): SpeechEngine => ({
  name,
  voices,
  speaks: { who: 'the speech service of this shop', languages },
  timbre: 'natural',
  parallel,
  findVoice: (voiceId) => nearestVoice(voices, voiceId),
  plan: (units, speed) => planGroups(units, speed, limits),
  keyOf: ({ spoken, voiceId, speed, quality }) => sha256(name, ...identity, voiceId, String(speed), quality, spoken),
  rateOf: () => rate,
  async speak(call, signal) {
    try {
      return await say(call, signal)
    } catch (error) {
      // A complete response that is no valid speech happens with engines that sample; one retry may succeed.
      if (error instanceof ProviderFailed && error.kind === 'unusable') return say(call, signal)
      throw error
    }
  },
})
