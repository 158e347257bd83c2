import { z } from 'zod'
import { listLimit } from '../core/list-limit.ts'

/** How many results a search gives. */
export const results = { most: 50, usual: 10 } as const
const [minLength, maxLength] = [2, 256]
const lengthOf = (text: string): number => [...text].length
const places = ['posts', 'pages'] as const

/** What is searched for. Lengths are counted in characters as people see them, not in code units. */
export const queryText = z
  .string()
  .refine((text) => lengthOf(text.trim()) >= minLength, `must have at least ${minLength} characters beside spaces`)
  .refine((text) => lengthOf(text) <= maxLength, `must have at most ${maxLength} characters`)
  .meta({ minLength, maxLength, description: 'Every term must match, the last one also as the beginning of a word' })

const collections = z.codec(
  z.string().regex(/^(?:posts|pages)(?:,(?:posts|pages))*$/, 'must be posts, pages or posts,pages'),
  z.array(z.enum(places)).min(1),
  { decode: (text) => places.filter((place) => text.split(',').includes(place)), encode: (named) => named.join() },
)

/** What `/api/search.json` may be asked with. What is out of range is refused, never bent. */
export const searchQuery = z.object({
  q: queryText,
  limit: listLimit(results.most, results.usual),
  collections: collections.default([...places]).describe('Where to search, separated by commas'),
})
export type SearchQuery = z.output<typeof searchQuery>

/** What `/api/transcripts/search.json` may be asked with. A post that does not exist is no error: it has no hits. */
export const transcriptQuery = z.object({
  q: queryText,
  limit: listLimit(results.most, results.usual),
  post: z.string().optional().describe('The slug of the only post to search in'),
})
export type TranscriptQuery = z.output<typeof transcriptQuery>
