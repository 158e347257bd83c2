import type { ProviderFailed } from '../providers/provider-failed.ts'
import type { SpeakText } from './narrator/speak-text.ts'
import type { SpokenUnit } from './plan/plan-narration.ts'
import type { Speakable } from './speech/can-speak.ts'

/** Reads texts aloud for the products that sell it. */
export interface SpeechService {
  readonly speakText: SpeakText
  /** Whether the engine speaks the language of a text. Takes a few milliseconds. */
  readonly canSpeak: (units: readonly SpokenUnit[]) => Speakable
  /** Reports a failure of a provider to the operator. */
  readonly report: (failure: ProviderFailed) => void
}
