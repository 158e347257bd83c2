import { Problem } from '../../src/core/problem.ts'
import type { Quality } from '../../src/narration/engines/speech-engine.ts'
import type { SpokenText } from '../../src/narration/narrator/speak-text.ts'
import { Unspeakable } from '../../src/narration/plan/unspeakable.ts'
import { defineMake } from '../../src/offers/make.ts'
import { type Product, textProduct } from '../../src/offers/product.ts'
import { ProviderFailed } from '../../src/providers/provider-failed.ts'
import { toProviderProblem } from '../../src/providers/provider-problem.ts'
import type { MakeContext } from '../make-context.ts'
import { toCaptioned } from './captioned.ts'
import narrateOffer from './offer.ts'
import { type NarrateInput, toUnits } from './to-units.ts'

const qualities = { 'speech-2.8-hd': 'hd', 'speech-2.8-turbo': 'turbo' } as const satisfies Record<string, Quality>

/** The MP3 alone, or JSON with captions. Headers name the voice, the engine and the length. */
function toProduct(spoken: SpokenText, captions: boolean | undefined): Product {
  const headers = {
    'x-voice-id': spoken.voiceId,
    'x-media-engine': spoken.engine,
    'x-audio-duration-seconds': (spoken.durationMs / 1000).toFixed(3),
  }
  return captions
    ? { ...textProduct(JSON.stringify(toCaptioned(spoken)), 'application/json; charset=utf-8'), headers }
    : { mimeType: 'audio/mpeg', body: spoken.mp3, headers }
}

const toPointer = ({ text }: Pick<NarrateInput, 'text'>): string => (text === undefined ? '/blocks' : '/text')

/** Reads a text aloud: one MP3, with captions where they are asked for. */
export default defineMake(narrateOffer, ({ speech: { speakText, canSpeak, report } }: Pick<MakeContext, 'speech'>) => ({
  async make({ text, blocks, voiceId, speed, model, captions }, signal) {
    const pointer = toPointer({ text })
    try {
      const wanted = { units: toUnits({ text, blocks }), voiceId, speed, quality: qualities[model] }
      return toProduct(await speakText(wanted, signal), captions)
    } catch (error) {
      if (error instanceof ProviderFailed) {
        report(error)
        throw toProviderProblem(error, 'speech service', {
          detail: 'The speech service does not read this text; nothing was charged',
          errors: [{ pointer, detail: 'must be a text that the speech service reads' }],
        })
      }
      if (!(error instanceof Unspeakable)) throw error
      const detail = `The text was not read aloud, and nothing was charged: ${error.message}`
      throw new Problem('invalid-input', { charged: false, detail, errors: [{ pointer, detail: error.message }] })
    }
  },
  // Estimating the length takes ten times as long as these checks, so that limit is only checked for those who pay.
  async foresee(input) {
    const speakable = canSpeak(toUnits(input))
    return speakable.is === 'speakable' ? [] : [{ pointer: toPointer(input), detail: speakable.reason }]
  },
}))
