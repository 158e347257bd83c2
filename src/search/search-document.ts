import { z } from 'zod'

/** One thing that search finds, as the build hands it over. */
export const searchDocumentSchema = z.object({
  collection: z.enum(['posts', 'pages']),
  slug: z.string(),
  url: z.string(),
  title: z.string(),
  excerpt: z.string(),
  /** Plain text. */
  body: z.string(),
  /** RFC 3339; pages have no date. */
  publishedAt: z.string().optional(),
  language: z.string(),
  /** What it is, when it is for sale. */
  kind: z.enum(['skill', 'hostedApi', 'content']).optional(),
  /** As shop windows show it, with what is for sale. */
  price: z.string().optional(),
})

export type SearchDocument = z.output<typeof searchDocumentSchema>
