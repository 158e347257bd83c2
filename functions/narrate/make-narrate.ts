import type { SpeakText } from '../../src/media/speak-text.ts'
import type { Quality } from '../../src/media/speech-engine.ts'
import { Unspeakable } from '../../src/media/unspeakable.ts'
import type { Make } from '../../src/payments/gate.ts'
import { Problem } from '../../src/problem.ts'
import { narrateOffer } from './offer.ts'
import { toUnits } from './to-units.ts'

export interface NarrateDeps {
  readonly speakText: SpeakText
}

const qualities = { 'speech-2.8-hd': 'hd', 'speech-2.8-turbo': 'turbo' } as const satisfies Record<string, Quality>

/** Reads a text aloud: one MP3 and, in headers, whose voice it is and how long it lasts. */
export const makeNarrate =
  ({ speakText }: NarrateDeps): Make =>
  async (input, signal) => {
    const { text, blocks, voiceId, speed, model } = narrateOffer.input.parse(input)
    const pointer = text === undefined ? '/blocks' : '/text'
    try {
      const wanted = { units: toUnits({ text, blocks }), voiceId, speed, quality: qualities[model] }
      const spoken = await speakText(wanted, signal)
      return {
        mimeType: 'audio/mpeg',
        body: spoken.mp3,
        headers: {
          'x-voice-id': spoken.voiceId,
          'x-media-engine': spoken.engine,
          'x-audio-duration-seconds': (spoken.durationMs / 1000).toFixed(3),
        },
      }
    } catch (error) {
      if (!(error instanceof Unspeakable)) throw error
      const detail = `The text was not read aloud, and nothing was charged: ${error.message}`
      throw new Problem('invalid-input', { charged: false, detail, errors: [{ pointer, detail: error.message }] })
    }
  }
