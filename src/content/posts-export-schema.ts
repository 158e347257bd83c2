import { z } from 'zod'
import { count, dateTime, uri } from '../core/formats.ts'

const checksumText = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256, hexadecimal')

const narration = z.object({
  url: uri,
  storageKey: z.string(),
  duration: z.string().describe('mm:ss or h:mm:ss'),
  durationSeconds: z.number(),
  sizeBytes: z.int(),
  sha256: checksumText.nullable().describe('Of the recording; null where none was kept when it was made'),
  transcriptUrl: uri,
  transcript: z
    .array(z.object({ start: z.number(), end: z.number(), text: z.string() }))
    .describe('Every sentence with its seconds in the recording'),
})

/** The fields of an exported post that depend on its text alone. */
export const exportedTextsSchema = z.object({
  wordCount: count,
  tokens: count.describe('About how many tokens the markdown is for current models'),
  contentMarkdown: z.string().describe('Every link absolute'),
  markdownSha256: checksumText,
  contentHtml: z.string().describe('Every address absolute, without scripts'),
  htmlSha256: checksumText,
})

/** See exportedTextsSchema. */
export type ExportedTexts = z.output<typeof exportedTextsSchema>

/** One post in the export. */
const exportedPostSchema = z.object({
  slug: z.string(),
  url: uri,
  title: z.string(),
  excerpt: z.string(),
  publishedAt: dateTime,
  updatedAt: dateTime.nullable(),
  author: z.string(),
  tags: z.array(z.string()),
  language: z.string(),
  license: z.string().describe('SPDX identifier'),
  image: uri.nullable(),
  ...exportedTextsSchema.shape,
  narration: narration.nullable(),
})

/** The document that the posts export delivers: all posts as data. */
export const postsExportSchema = z.object({
  version: z.string(),
  schema: uri.describe('The JSON Schema of this document; a line of JSONL is one of its posts'),
  exportedAt: dateTime.describe(
    'What this is as of: when a post last appeared or changed; wherever it is made, the same',
  ),
  site: z.object({ title: z.string(), url: uri, language: z.string() }),
  license: z.object({ spdx: z.string(), sentence: z.string() }),
  since: dateTime.optional().describe('Only what was published or changed from then on, when that was asked for'),
  count: count.describe('Length of posts'),
  tokens: count.describe('Of all posts together'),
  posts: z.array(exportedPostSchema),
})

/** See postsExportSchema. */
export type PostsExport = z.output<typeof postsExportSchema>

/** See exportedPostSchema. */
export type ExportedPost = z.output<typeof exportedPostSchema>
