import { z } from 'zod'
import { postsExportSchema } from '../../src/content/posts-export-schema.ts'
import { usd } from '../../src/core/money.ts'
import { defineOffer } from '../../src/offers/offer.ts'

/** Media type of JSON Lines: one JSON value on each line. */
export const jsonLines = 'application/jsonl'

/** The query string; other parameters are ignored. */
const PostsExportQuery = z.object({
  format: z.enum(['json', 'jsonl']).optional(),
  since: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be like 2026-11-20 or 2026-11-20T09:00:00Z')
    .optional()
    .describe('A date: only posts published or changed since; free when none'),
})

const sample = {
  version: '1.0',
  exportedAt: '2026-11-17T09:00:00.000Z',
  license: { spdx: '…', sentence: '…' },
  count: 1,
  tokens: 1650,
  posts: [
    {
      slug: 'newest-post',
      title: 'Title of the newest post',
      publishedAt: '2026-11-17T09:00:00.000Z',
      tags: ['payments'],
      wordCount: 1200,
      tokens: 1650,
      contentMarkdown: '…',
      markdownSha256: '…',
      contentHtml: '<p>…</p>',
      narration: { url: 'https://…/audio/….mp3', sha256: '…', transcript: [{ start: 0.5, end: 3.2, text: '…' }] },
    },
  ],
}

/** All the writing as data. */
export default defineOffer({
  slug: 'posts-export',
  tool: 'get_all_posts_as_json',
  lane: 'content',
  position: 2,
  title: 'Every post as data',
  excerpt: 'All published posts as JSON or JSONL: metadata, markdown, HTML, transcripts, checksums and the licence.',
  method: 'GET',
  path: '/api/export/posts',
  mimeType: 'application/json',
  otherMimeTypes: [jsonLines],
  price: usd('0.50'),
  input: PostsExportQuery,
  example: {},
  concurrency: 32,
  delivers: [
    'One JSON document with every published post, newest first, and its JSON Schema; with format=jsonl one post on each line.',
    'Per post: address, dates, author, tags, language, words, tokens, licence, markdown and HTML with absolute links, and the SHA-256 of both.',
    'Where a post has been read aloud: the recording with its length, size and SHA-256, and every sentence with its seconds.',
    'With since=2026-11-01 only what was published or changed from then on; nothing is charged when that is nothing.',
  ],
  answer: { name: 'PostsExport', schema: postsExportSchema },
  fileName: 'posts.json',
  sample: JSON.stringify(sample, null, 2),
})
