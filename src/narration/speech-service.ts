import type { ProviderFailed } from '../providers/provider-failed.ts'
import type { SpeakText } from './narrator/speak-text.ts'

/** Texts read aloud to order, for whoever sells that. */
export interface SpeechService {
  readonly speakText: SpeakText
  /** Tells the operator what a provider did not do. */
  readonly report: (failure: ProviderFailed) => void
}
