import { z } from 'zod'
import { hasInk } from '../../src/core/ink.ts'
import { usd } from '../../src/core/money.ts'
import { boundedText, codePoints } from '../../src/offers/bounded-text.ts'
import { defineOffer } from '../../src/offers/offer.ts'
import { captionedSchema } from './captioned.ts'
import { blocksToText } from './read-blocks.ts'

const maxCharacters = 9500
/** The default voice. */
export const unnamedVoice = 'English_SereneWoman'

type Blocks = readonly Record<string, unknown>[]
/** A rule for the words of `blocks`. It applies only when `text` is absent, because `blocks` are not read otherwise. */
const ofReadBlocks =
  (isRight: (words: string) => boolean) =>
  ({ text, blocks }: { text?: string | undefined; blocks?: Blocks | undefined }): boolean =>
    text !== undefined || blocks === undefined || isRight(blocksToText(blocks))

/** What is read aloud, and how. When both are there, `text` is read and `blocks` are not. */
const NarrateRequest = z
  .strictObject({
    text: boundedText(maxCharacters).optional(),
    blocks: z
      .array(z.record(z.string(), z.unknown()))
      .max(500)
      .optional()
      .describe('Rich-text blocks, read when text is absent'),
    voiceId: z
      .string()
      .min(1)
      .max(128)
      .default(unnamedVoice)
      .describe('Unknown names get the nearest; English_CalmMan is clearest'),
    speed: z.number().min(0.5).max(2).default(1).describe('Pace; 1 is natural'),
    model: z.enum(['speech-2.8-hd', 'speech-2.8-turbo']).default('speech-2.8-hd').describe('hd: 96 kbit/s, turbo: 64'),
    captions: z.boolean().optional().describe('JSON: MP3 in base64, WebVTT, sentence times'),
  })
  .refine(({ text, blocks }) => text !== undefined || blocks !== undefined, {
    path: ['text'],
    message: 'must be there, or blocks instead',
  })
  .refine(ofReadBlocks(hasInk), { path: ['blocks'], message: 'must contain words in their text fields' })
  .refine(
    ofReadBlocks((words) => codePoints(words) <= maxCharacters),
    { path: ['blocks'], message: `must hold at most ${maxCharacters} characters of text together` },
  )
  .meta({ anyOf: [{ required: ['text'] }, { required: ['blocks'], properties: { blocks: { minItems: 1 } } }] })

/** Text read aloud. */
export default defineOffer({
  slug: 'narrate',
  tool: 'read_text_aloud',
  lane: 'hostedApi',
  position: 2,
  title: 'Read a text aloud',
  excerpt: 'Turns up to 9500 characters of text or rich-text blocks into one MP3.',
  method: 'POST',
  path: '/api/x402/media/narrate',
  mimeType: 'audio/mpeg',
  otherMimeTypes: ['application/json'],
  price: usd('0.05'),
  input: NarrateRequest,
  example: { text: 'A farthing was a quarter of a penny, and was nevertheless struck with care.' },
  workSeconds: 120,
  concurrency: 4,
  maxBodyBytes: 256 * 1024,
  delivers: [
    'One MP3 of the whole text, as the body of the answer.',
    'Pauses between paragraphs, behind headings and behind the items of a list, and one loudness throughout.',
    'The pace you asked for, from half to twice the natural one.',
    'The voice you named or the nearest one; X-Voice-Id says which, and GET /api/x402/media/voices lists them with samples.',
    'With captions=true a JSON document: the MP3 in base64, its WebVTT, and the seconds of every sentence and heading.',
    'No charge when the text is in a language that these voices do not speak, holds nothing that can be spoken, or would last longer than 30 minutes.',
  ],
  headers: {
    'X-Voice-Id': 'Who reads',
    'X-Media-Engine': 'What made it: embedded, or a provider',
    'X-Audio-Duration-Seconds': 'How long it lasts, with three decimals',
  },
  answer: { name: 'CaptionedNarration', schema: captionedSchema },
  fileName: 'narration.mp3',
  sample:
    'HTTP/1.1 200 OK\nContent-Type: audio/mpeg\nX-Voice-Id: English_SereneWoman\nX-Media-Engine: embedded\nX-Audio-Duration-Seconds: 5.213\nX-Receipt-Id: r_…\n\n(the sound)',
})
