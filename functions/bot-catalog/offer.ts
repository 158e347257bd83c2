import { z } from 'zod'
import crawlersFile from '../../content/crawlers.json' with { type: 'json' }
import { crawlersSchema } from '../../src/content/crawlers-schema.ts'
import { usd } from '../../src/core/money.ts'
import { defineOffer, type Offer, pagePath, priceText } from '../../src/offers/offer.ts'
import { type CrawlerCatalog, crawlerCatalogSchema, toCrawlerCatalog } from './crawler-catalog.ts'
import { describeShape } from './describe-shape.ts'

/** The query string; other parameters are ignored. */
const BotCatalogQuery = z.object({
  inspect: z
    .enum(['1'], 'must be 1 or absent')
    .optional()
    .describe('1 answers a free description with three sample rows instead of the catalog'),
})

const catalog = toCrawlerCatalog(crawlersSchema.parse(crawlersFile))
const [sample] = catalog.crawlers

/** Who crawls the web for models, with ready rules for robots.txt. */
export default defineOffer({
  slug: 'bot-catalog',
  tool: 'list_ai_crawlers',
  lane: 'hostedApi',
  position: 3,
  title: 'Know the AI crawlers',
  excerpt:
    'The AI crawlers that have public documentation: user agent, operator, purpose, address ranges, how to verify each, and ready rules for robots.txt, nginx, Caddy and Cloudflare.',
  method: 'GET',
  path: '/api/x402/agent-seo/bot-catalog',
  mimeType: 'application/json',
  price: usd('0.05'),
  input: BotCatalogQuery,
  example: {},
  concurrency: 32,
  delivers: [
    'One JSON document: every crawler with user agent, operator, purpose, what it comes for, and the page that documents it.',
    'The address ranges that its operator publishes, as CIDR with address and date, and how to verify it: ranges, reverse DNS, signed requests.',
    'Ready rules by what crawlers come for (to train, to search, because a person asked, or the owner of the site) for robots.txt, nginx, Caddy and Cloudflare.',
    'What was verified of each row, and when; crawlers that nobody documents stand apart.',
    'With ?inspect=1: every field, how many entries it has, and three of them, for nothing.',
  ],
  answer: { name: 'CrawlerCatalog', schema: crawlerCatalogSchema },
  inspect: (offer, baseUrl) => toLanding(offer, catalog, baseUrl),
  fileName: 'ai-crawlers.json',
  sample: JSON.stringify(sample, null, 2),
})

const sampleRows = 3

/** The free response to `?inspect=1`: what the catalog is, its price, size and fields, and its first rows. */
function toLanding(
  offer: Offer,
  { updatedAt, count, crawlers, undocumented }: CrawlerCatalog,
  baseUrl: string,
): string {
  const { title, excerpt, path } = offer
  return [
    title,
    '',
    excerpt,
    '',
    `Price: ${priceText(offer)} in USDC, by x402. GET ${baseUrl}${path} answers 402 with the terms.`,
    `Crawlers: ${count} with documentation, ${undocumented.length} without; rows compared with public sources on ${updatedAt}.`,
    'Address ranges and pages are asked for daily where the site is live; what did not answer is null.',
    `More: ${baseUrl}${pagePath(offer)}`,
    '',
    `The first ${sampleRows} of ${count}:`,
    ...crawlers.slice(0, sampleRows).map((crawler) => JSON.stringify(crawler)),
    '',
    'Every field of the JSON:',
    ...describeShape(crawlerCatalogSchema),
    '',
  ].join('\n')
}
