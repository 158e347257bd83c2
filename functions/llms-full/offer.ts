import { usd } from '../../src/core/money.ts'
import { defineOffer, NoInput } from '../../src/offers/offer.ts'

/** All the writing as one text. */
export default defineOffer({
  slug: 'llms-full',
  tool: 'get_all_posts_as_text',
  lane: 'content',
  position: 1,
  title: 'Every post in one text',
  excerpt: 'All published posts as one plain-text bundle, newest first, ready for a context window or an index.',
  method: 'GET',
  path: '/llms-full.txt',
  mimeType: 'text/plain',
  price: usd('0.25'),
  input: NoInput,
  example: {},
  concurrency: 32,
  delivers: [
    'One plain text with every published post in full: title, address, then the text as markdown.',
    'A line of three hyphens between posts and nowhere else, so that a program can split it.',
    'The posts themselves stay free to read; this spares you the collecting.',
  ],
  fileName: 'llms-full.txt',
  sample: [
    'Title of the newest post',
    'https://…/posts/newest-post',
    'Its text, in markdown.',
    '---',
    'Title of the one before',
    'https://…/posts/the-one-before',
    'Its text, in markdown.',
  ].join('\n'),
})
