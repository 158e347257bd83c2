import { z } from 'zod'
import { count, uri } from '../../core/formats.ts'
import { documents } from '../../core/json-schema.ts'
import type { Voice } from '../speech/voice.ts'
import type { SpeechEngine } from './speech-engine.ts'

/** The voices that read texts aloud. */
export const voicesSchema = z
  .object({
    engine: z.enum(['embedded', 'minimax', 'openai']).describe('Who speaks'),
    default: z.string().describe('The voice that speaks when nothing is known of the one asked for'),
    count,
    voices: z.array(
      z.object({
        voiceId: z.string().describe('What to send as voiceId'),
        name: z.string(),
        description: z.string(),
        gender: z.enum(['female', 'male', 'neutral']),
        language: z.string().describe('BCP 47; `mul` speaks the language of the text'),
        sampleUrl: uri.nullable().describe('An MP3 to listen to, where there is one'),
      }),
    ),
  })
  .register(documents, { name: 'Voices' })

/** See voicesSchema. */
export type VoiceList = z.output<typeof voicesSchema>

/** Where all voices are listed. */
export const voicesPath = '/api/x402/media/voices'

/** Where a voice of the embedded engine can be heard. */
export const samplePathOf = (voiceId: string) => `${voicesPath}/${voiceId}.mp3` as const

/** What a voice says in its sample. */
export const sampleTextOf = ({ name }: Pick<Voice, 'name'>): string =>
  `This is ${name}. A farthing was a quarter of a penny. It was struck with care, nevertheless, for almost seven hundred years.`

/**
 * The list of voices of an engine. A provider's voices have no sample, because requests of strangers would cost the
 * operator money.
 */
export const toVoiceList = ({ name, voices }: Pick<SpeechEngine, 'name' | 'voices'>, baseUrl: string): VoiceList => ({
  engine: name,
  default: voices[0].id,
  count: voices.length,
  voices: voices.map(({ id, name: called, description, gender, language }) => ({
    voiceId: id,
    name: called,
    description,
    gender,
    language,
    sampleUrl: name === 'embedded' ? baseUrl + samplePathOf(id) : null,
  })),
})
