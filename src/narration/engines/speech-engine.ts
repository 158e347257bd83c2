import type { NarrationPlan, SpokenUnit } from '../plan/plan-narration.ts'
import type { Speaks } from '../speech/can-speak.ts'
import type { Voice, Voices } from '../speech/voice.ts'

/** Quality of the file, not of the voice: sampled at 48 kHz with 96 kbit/s, or at 24 kHz with 64 kbit/s. */
export type Quality = 'hd' | 'turbo'

/** One text to be spoken in one call. */
export interface SpeechCall {
  readonly spoken: string
  readonly voiceId: string
  /** Pace, 0.5 to 2; 1 is natural. */
  readonly speed: number
  readonly quality: Quality
}

/** Turns words into sound. Everything after that, from loudness to the file, is the same for every engine. */
export interface SpeechEngine {
  readonly name: 'embedded' | 'minimax' | 'openai'
  readonly voices: Voices
  /** Whether its sound gets the equaliser for synthetic voices. */
  readonly timbre: 'synthetic' | 'natural'
  /** Concurrent calls for one narration. */
  readonly parallel: number
  findVoice(voiceId: string): Voice
  readonly speaks: Speaks
  plan(units: readonly SpokenUnit[], speed: number): NarrationPlan
  /** The cache key of a call: a digest of everything that decides its samples. */
  keyOf(call: SpeechCall): string
  /** Samples per second of a voice. */
  rateOf(voiceId: string): number
  /** The samples of a call, without the silence around them. */
  speak(call: SpeechCall, signal: AbortSignal | undefined): Promise<Int16Array>
}
