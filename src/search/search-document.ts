import { z } from 'zod'

/** A document for the search index, made by the build. */
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
  /** The kind of product, for a product page. */
  kind: z.enum(['skill', 'hostedApi', 'content']).optional(),
  /** The price as pages show it, for a product page. */
  price: z.string().optional(),
})

export type SearchDocument = z.output<typeof searchDocumentSchema>
