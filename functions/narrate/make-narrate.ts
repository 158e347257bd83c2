import { ProviderFailed } from '../../src/media/providers/provider-failed.ts'
import type { SpeakText } from '../../src/media/speak-text.ts'
import type { Quality } from '../../src/media/speech-engine.ts'
import { Unspeakable } from '../../src/media/unspeakable.ts'
import type { Make } from '../../src/payments/sell.ts'
import { Problem } from '../../src/problem.ts'
import { narrateOffer } from './offer.ts'
import { toUnits } from './to-units.ts'

export interface NarrateDeps {
  speakText: SpeakText
  /** Tells the operator what a provider did not do. */
  report: (failure: ProviderFailed) => void
}

const qualities = { 'speech-2.8-hd': 'hd', 'speech-2.8-turbo': 'turbo' } as const satisfies Record<string, Quality>

/** Reads a text aloud: one MP3 and, in headers, whose voice it is and how long it lasts. */
export const makeNarrate =
  ({ speakText, report }: NarrateDeps): Make =>
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
      if (error instanceof ProviderFailed) {
        report(error)
        throw toProblem(error, pointer)
      }
      if (!(error instanceof Unspeakable)) throw error
      const detail = `The text was not read aloud, and nothing was charged: ${error.message}`
      throw new Problem('invalid-input', { charged: false, detail, errors: [{ pointer, detail: error.message }] })
    }
  }

/** What a buyer may know of a provider's failure: whether to send another text, the same again, or nothing for a while. */
function toProblem(cause: ProviderFailed, pointer: string): Problem {
  const failed = (detail: string, retryAfterSeconds: number) =>
    new Problem('work-failed', { charged: false, detail, retryAfterSeconds, cause })
  switch (cause.kind) {
    case 'refused':
      return new Problem('invalid-input', {
        charged: false,
        detail: 'The speech service does not read this text; nothing was charged',
        errors: [{ pointer, detail: 'must be a text that the speech service reads' }],
        cause,
      })
    case 'unavailable':
    case 'unusable':
      return failed('The speech service did not deliver; nothing was charged. Send the identical request again', 10)
    case 'account':
      return failed('The speech service does not work for this shop just now; nothing was charged', 60)
  }
}
