import { z } from 'zod'
import { documents } from '../core/json-schema.ts'
import { kinds } from './search-query.ts'

const hit = z.object({
  title: z.string(),
  url: z.string().meta({ format: 'uri-reference' }),
  collection: z.enum(['posts', 'pages']),
  snippet: z.string().optional().describe('HTML: matched terms in <mark>, which is the only markup'),
  hasNarration: z.boolean().optional().describe('On posts only'),
  narrationDuration: z
    .string()
    .regex(/^(?:\d{2}|\d+:[0-5]\d):[0-5]\d$/)
    .optional()
    .describe('mm:ss or h:mm:ss, where there is a narration'),
  listenUrl: z
    .string()
    .meta({ format: 'uri-reference' })
    .optional()
    .describe('The post, played from the sentence that was found'),
  kind: z.enum(kinds).describe('What is behind it'),
  price: z.string().optional().describe('Of what is for sale, as the catalog shows it'),
})

/** `GET /api/search.json` (spec: Search result). */
export const searchResultSchema = z
  .object({
    query: z.string().describe('As it was sent'),
    total: z.int().min(0).describe('Matches in all collections and of all kinds asked for, before the limit'),
    results: z.array(hit),
  })
  .register(documents, {
    name: 'SearchResult',
    example: {
      query: 'payment',
      total: 1,
      results: [
        {
          title: 'Durable before paid',
          url: '/posts/durable-before-paid',
          collection: 'posts',
          snippet: 'the <mark>payment</mark> is settled last',
          hasNarration: true,
          narrationDuration: '04:07',
          listenUrl: '/posts/durable-before-paid?t=7',
          kind: 'post',
        },
      ],
    },
  })

export type SearchResult = z.output<typeof searchResultSchema>
