import { z } from 'zod'

const hit = z.object({
  post: z.object({ slug: z.string(), title: z.string() }),
  text: z.string().describe('The sentence that was said'),
  start: z.int().min(0).describe('Where it begins, in whole seconds'),
  startFormatted: z.string().regex(/^\d+:[0-5]\d$/),
  deepLinkUrl: z.url().describe('The post, opened at this sentence'),
  snippet: z.string().describe('The sentence, shortened around what was found'),
})

/** `GET /api/transcripts/search.json` (spec: Transcript hit list). */
export const transcriptHitsSchema = z.object({
  ok: z.boolean(),
  query: z.string().describe('As it was sent'),
  count: z.int().min(0).describe('How many hits are in this answer'),
  hits: z.array(hit),
})

export type TranscriptHits = z.output<typeof transcriptHitsSchema>
