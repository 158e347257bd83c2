import { z } from 'zod'
import { listLimit } from '../core/list-limit.ts'

/** The largest and the default number of results. */
export const results = { most: 50, usual: 10 } as const
const [minLength, maxLength] = [2, 256]
const lengthOf = (text: string): number => [...text].length
const places = ['posts', 'pages'] as const
/** The kinds of results. */
export const kinds = ['post', 'page', 'skill', 'hostedApi', 'content'] as const
export type Kind = (typeof kinds)[number]

/** The text of a query. Its length is counted in code points, not in UTF-16 code units. */
export const queryText = z
  .string()
  .refine((text) => lengthOf(text.trim()) >= minLength, `must have at least ${minLength} characters beside spaces`)
  .refine((text) => lengthOf(text) <= maxLength, `must have at most ${maxLength} characters`)
  .meta({ minLength, maxLength, description: 'Every term must match, the last one also as the beginning of a word' })

/** A comma-separated list of these names. */
function someOf<Name extends string>(names: readonly [Name, ...Name[]], sentence: string) {
  const one = `(?:${names.join('|')})`
  return z.codec(z.string().regex(new RegExp(`^${one}(?:,${one})*$`), sentence), z.array(z.enum(names)).min(1), {
    decode: (text) => names.filter((name) => text.split(',').includes(name)),
    encode: (named) => named.join(),
  })
}

/** The query parameters of `/api/search.json`. Values out of range are refused, never corrected. */
export const searchQuery = z.object({
  q: queryText,
  limit: listLimit(results.most, results.usual),
  collections: someOf(places, 'must be posts, pages or posts,pages')
    .default([...places])
    .describe('Where to search, separated by commas'),
  kinds: someOf(kinds, `must be one or more of ${kinds.join(', ')}, with commas and no spaces between them`)
    .optional()
    .describe('What to find, separated by commas; everything when absent'),
})
export type SearchQuery = z.output<typeof searchQuery>

/** The query parameters of `/api/transcripts/search.json`. An unknown post is not an error: it has no hits. */
export const transcriptQuery = z.object({
  q: queryText,
  limit: listLimit(results.most, results.usual),
  post: z.string().optional().describe('The slug of the only post to search in'),
})
export type TranscriptQuery = z.output<typeof transcriptQuery>
