import type { ProviderFailed } from '../providers/provider-failed.ts'
import type { SpeakText } from './narrator/speak-text.ts'
import type { SpokenUnit } from './plan/plan-narration.ts'
import type { Speakable } from './speech/can-speak.ts'

/** Texts read aloud to order, for whoever sells that. */
export interface SpeechService {
  readonly speakText: SpeakText
  /** Whether a text is in a language that the engine speaks, in a few milliseconds. */
  readonly canSpeak: (units: readonly SpokenUnit[]) => Speakable
  /** Tells the operator what a provider did not do. */
  readonly report: (failure: ProviderFailed) => void
}
