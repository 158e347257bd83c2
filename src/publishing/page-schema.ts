import { z } from 'zod'
import { line } from './front-matter.ts'

/** Front matter of `content/pages/*.mdx`. */
export const pageSchema = z.strictObject({
  title: line(),
  /** One or two sentences for search results. */
  excerpt: line(220),
})
