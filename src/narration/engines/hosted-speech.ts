import { sha256 } from '../../core/sha256.ts'
import { ProviderFailed } from '../../providers/provider-failed.ts'
import { type GroupLimits, planGroups } from '../plan/plan-groups.ts'
import type { Speaks } from '../speech/can-speak.ts'
import { nearestVoice } from '../speech/nearest-voice.ts'
import type { Voices } from '../speech/voice.ts'
import type { SpeechCall, SpeechEngine } from './speech-engine.ts'

/** What differs from provider to provider. */
export interface HostedVoice {
  readonly name: SpeechEngine['name']
  /** Its address and model, and whatever else decides its sound. */
  readonly identity: readonly string[]
  readonly voices: Voices
  /** Undefined where nobody knows. */
  readonly languages: Speaks['languages']
  /** Samples per second. */
  readonly rate: number
  readonly limits: GroupLimits
  /** One call, without a second try. */
  say(call: SpeechCall, signal: AbortSignal | undefined): Promise<Int16Array>
}

/** Calls in flight for one narration: providers limit both their rate and their number. */
const parallel = 2

/** An engine that is asked over the network. */
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
      // A whole answer that is no speech happens to engines that sample; one more may be right.
      if (error instanceof ProviderFailed && error.kind === 'unusable') return say(call, signal)
      throw error
    }
  },
})
