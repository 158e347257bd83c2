import { z } from 'zod'
import { documents } from '../../core/json-schema.ts'

const hit = z.object({
  post: z.object({ slug: z.string(), title: z.string() }),
  text: z.string().describe('The sentence that was said'),
  start: z.int().min(0).describe('Where it begins, in whole seconds'),
  startFormatted: z.string().regex(/^\d+:[0-5]\d$/),
  deepLinkUrl: z.url().describe('The post, opened at this sentence'),
  snippet: z.string().describe('The sentence, shortened around what was found'),
})

/** `GET /api/transcripts/search.json` (spec: Transcript hit list). */
export const transcriptHitsSchema = z
  .object({
    ok: z.boolean(),
    query: z.string().describe('As it was sent'),
    count: z.int().min(0).describe('How many hits are in this answer'),
    hits: z.array(hit),
  })
  .register(documents, {
    name: 'TranscriptHits',
    example: {
      ok: true,
      query: 'payment',
      count: 1,
      hits: [
        {
          post: { slug: 'durable-before-paid', title: 'Durable before paid' },
          text: 'The payment is settled last.',
          start: 7,
          startFormatted: '0:07',
          deepLinkUrl: 'https://shop.example/posts/durable-before-paid?t=7',
          snippet: 'The payment is settled last.',
        },
      ],
    },
  })

export type TranscriptHits = z.output<typeof transcriptHitsSchema>
