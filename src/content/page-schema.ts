import { z } from 'zod'
import { aliases } from './aliases.ts'
import { instant, line } from './front-matter.ts'

/** Front matter of `content/pages/*.mdx`. */
export const pageSchema = z.strictObject({
  title: line(),
  /** One or two sentences for search results. */
  excerpt: line(220),
  /** When it last changed in a way readers care about; for the sitemap. */
  updatedAt: instant.optional(),
  /** Addresses that it had before, which lead to it. */
  aliases,
})
