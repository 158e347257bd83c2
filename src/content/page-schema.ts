import { z } from 'zod'
import { aliases } from './aliases.ts'
import { instant, line } from './front-matter.ts'

/** Front matter of `content/pages/*.mdx`. */
export const pageSchema = z.strictObject({
  title: line(),
  /** One or two sentences for search results. */
  excerpt: line(220),
  /** When it last changed in a way that readers care about; for the sitemap. */
  updatedAt: instant.optional(),
  /** Former addresses, which redirect to it. */
  aliases,
})
