import { z } from 'zod'
import type { VoiceList } from '../../media/speech/voice-list.ts'
import { count, uri } from './formats.ts'

/** The voices that read texts aloud. */
export const voicesSchema = z.object({
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
}) satisfies z.ZodType<VoiceList>
