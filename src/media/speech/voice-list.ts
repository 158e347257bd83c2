import type { SpeechEngine } from '../speech-engine.ts'
import type { Voice } from './voice.ts'

/** The voices of this installation, as the free list tells them. */
export interface VoiceList {
  readonly engine: SpeechEngine['name']
  readonly default: string
  readonly count: number
  readonly voices: readonly {
    readonly voiceId: string
    readonly name: string
    readonly description: string
    readonly gender: 'female' | 'male' | 'neutral'
    readonly language: string
    readonly sampleUrl: string | null
  }[]
}

/** Where all voices are listed. */
export const voicesPath = '/api/x402/media/voices'

/** Where a voice of the embedded engine can be heard. */
export const samplePathOf = (voiceId: string): string => `${voicesPath}/${voiceId}.mp3`

/** What a voice says in its sample. */
export const sampleTextOf = ({ name }: Pick<Voice, 'name'>): string =>
  `This is ${name}. A farthing was a quarter of a penny. It was struck with care, nevertheless, for almost seven hundred years.`

/** A provider's voices have no sample: strangers who ask for one would cost the operator money. */
export const toVoiceList = ({ name, voices }: Pick<SpeechEngine, 'name' | 'voices'>, baseUrl: string): VoiceList => ({
  engine: name,
  default: voices[0].id,
  count: voices.length,
  voices: voices.map((voice) => ({
    voiceId: voice.id,
    name: voice.name,
    description: voice.description,
    gender: voice.gender,
    language: voice.language,
    sampleUrl: name === 'embedded' ? baseUrl + samplePathOf(voice.id) : null,
  })),
})
