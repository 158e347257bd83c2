import { postsExportSchema } from '../../src/content/posts-export-schema.ts'
import { usd } from '../../src/core/money.ts'
import { defineOffer, NoInput } from '../../src/offers/offer.ts'

const sample = {
  version: '1.0',
  count: 1,
  posts: [
    {
      slug: 'newest-post',
      title: 'Title of the newest post',
      publishedAt: '2026-11-17T09:00:00.000Z',
      tags: ['payments'],
      wordCount: 1200,
      contentMarkdown: '…',
      contentHtml: '<p>…</p>',
      narration: null,
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
  excerpt: 'All published posts as one JSON document with full metadata, markdown and HTML.',
  method: 'GET',
  path: '/api/export/posts',
  mimeType: 'application/json',
  price: usd('0.50'),
  input: NoInput,
  example: {},
  concurrency: 32,
  delivers: [
    'One JSON document with every published post, newest first.',
    'Per post: address, dates, author, tags, language, word count, markdown and rendered HTML.',
    'Where a post has been read aloud: the address, length and size of the recording and its transcript.',
  ],
  answer: { name: 'PostsExport', schema: postsExportSchema },
  fileName: 'posts.json',
  sample: JSON.stringify(sample, null, 2),
})
