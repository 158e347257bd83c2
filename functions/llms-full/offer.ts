import { usd } from '../../src/core/money.ts'
import { defineOffer, NoInput } from '../../src/offers/offer.ts'

/** All the writing as one text. */
export default defineOffer({
  slug: 'llms-full',
  tool: 'get_all_posts_as_text',
  lane: 'content',
  position: 1,
  title: 'Every post in one text',
  excerpt: 'All published posts as one plain text, newest first, with contents, token counts, licence and checksums.',
  method: 'GET',
  path: '/llms-full.txt',
  mimeType: 'text/plain',
  price: usd('0.25'),
  input: NoInput,
  example: {},
  concurrency: 32,
  delivers: [
    'One plain text: contents with the tokens of each post, then every published post in full: title, address, facts, and the text as markdown with absolute links.',
    'Of each post: dates, author, licence and the SHA-256 of its text; where it has been read aloud, the recording with its SHA-256 and the transcript.',
    'A line of three hyphens between posts and nowhere else, so that a program can split it.',
    'The posts themselves stay free to read; this spares you the collecting.',
  ],
  fileName: 'llms-full.txt',
  sample: [
    'The press: Every post in one text',
    'https://…/llms-full.txt',
    'Posts: 2, newest first, about 3100 tokens together. As of 2026-11-20T09:00:00.000Z.',
    'License: … …',
    '',
    '1. Title of the newest post (2026-11-20, about 1650 tokens)',
    '2. Title of the one before (2026-11-13, about 1450 tokens)',
    '---',
    'Title of the newest post',
    'https://…/posts/newest-post',
    'Published 2026-11-20, by …, en, about 1650 tokens, …',
    'SHA-256 of the text: …',
    '',
    'Its text, in markdown.',
  ].join('\n'),
})
