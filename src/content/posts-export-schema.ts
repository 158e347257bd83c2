import { z } from 'zod'
import { count, dateTime, uri } from '../core/formats.ts'

const narration = z.object({
  url: uri,
  storageKey: z.string(),
  duration: z.string().describe('mm:ss or h:mm:ss'),
  durationSeconds: z.number(),
  sizeBytes: z.int(),
  transcriptUrl: uri,
})

/** What the posts export delivers: all the writing as data. */
export const postsExportSchema = z.object({
  version: z.string(),
  exportedAt: dateTime,
  site: z.object({ title: z.string(), url: uri, language: z.string() }),
  count: count.describe('Length of posts'),
  posts: z.array(
    z.object({
      slug: z.string(),
      url: uri,
      title: z.string(),
      excerpt: z.string(),
      publishedAt: dateTime,
      updatedAt: dateTime.nullable(),
      author: z.string(),
      tags: z.array(z.string()),
      language: z.string(),
      image: uri.nullable(),
      wordCount: count,
      contentMarkdown: z.string(),
      contentHtml: z.string(),
      narration: narration.nullable(),
    }),
  ),
})

/** See postsExportSchema. */
export type PostsExport = z.output<typeof postsExportSchema>
