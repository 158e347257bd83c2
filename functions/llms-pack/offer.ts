import { z } from 'zod'
import { usd } from '../../src/core/money.ts'
import { PublicHttpsUrl } from '../../src/fetching/public-https-url.ts'
import { defineOffer } from '../../src/offers/offer.ts'

const maxUrls = 20
const perCall = usd('0.05')
const perUrl = usd('0.01')
const priceFor = (urls: number) => perCall + perUrl * BigInt(urls)

/** Which pages, and how much of each. A page named twice is listed and priced twice, and fetched once. */
const PackRequest = z.strictObject({
  urls: z.array(PublicHttpsUrl).min(1).max(maxUrls).describe('Pages, in the order you want them'),
  maxCharsPerPage: z.int().min(1000).max(50_000).default(20_000).describe('Characters kept of each page'),
})

/** Web pages as one text. */
export default defineOffer({
  slug: 'llms-pack',
  tool: 'pack_web_pages',
  lane: 'hostedApi',
  position: 4,
  title: 'Pack web pages for a model',
  excerpt: `Fetches up to ${maxUrls} pages of HTML, PDF, JSON, XML or CSV, and returns one text bundle.`,
  method: 'POST',
  path: '/api/x402/llms/pack',
  mimeType: 'text/plain',
  price: {
    from: priceFor(1),
    of: ({ urls }) => priceFor(urls.length),
    rule: '$0.05 for the call and $0.01 for each URL',
    most: priceFor(maxUrls),
  },
  input: PackRequest,
  example: { urls: ['https://example.com/', 'https://example.org/'] },
  workSeconds: 60,
  concurrency: 8,
  delivers: [
    'One plain text: per page its title, its URL, a line with type, bytes, tokens and time, and its main text as markdown, with a line of three hyphens between pages.',
    'Headings, lists, tables, code and links are kept; navigation, cookie banners and scripts are not. Markdown is asked for first; PDF (up to 2 MB, its first 200 pages), JSON, XML, feeds and CSV are read, too.',
    'The pages in your order, fetched in parallel, each within 15 seconds or marked as not fetched.',
    'A page that is an empty shell without its scripts says so. The number of pages that failed is in the X-Pack-Failed header; when all fail, nothing is charged.',
  ],
  headers: { 'X-Pack-Failed': 'How many pages were not fetched' },
  fileName: 'pages.txt',
  sample: [
    'Example Domain',
    'https://example.com/',
    'text/html, 1256 bytes, about 18 tokens, fetched 2026-11-20T09:00:00Z',
    '',
    '# Example Domain',
    '',
    'This domain is for use in documentation examples without needing permission.',
    '---',
    'https://example.org/gone',
    'https://example.org/gone',
    '[not fetched: the site answered 404]',
  ].join('\n'),
})
