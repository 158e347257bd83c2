import type { EngineChoice } from '../../config/engine-settings.ts'
import { makeHostedSpeech } from './hosted-speech.ts'
import { minimaxSpeech } from './minimax-speech.ts'
import { openaiSpeech } from './openai-speech.ts'
import type { SpeechEngine } from './speech-engine.ts'

/** Opens the configured engine; undefined for the embedded one, which every narrator has. */
export function openSpeechEngine(choice: EngineChoice): SpeechEngine | undefined {
  switch (choice.is) {
    case 'embedded':
      return undefined
    case 'minimax':
      return makeHostedSpeech(minimaxSpeech(choice))
    case 'openai':
      return makeHostedSpeech(openaiSpeech(choice))
  }
}
