import { z } from 'zod'
import crawlersFile from '../../content/crawlers.json' with { type: 'json' }
import { crawlersSchema } from '../../src/content/crawlers-schema.ts'
import { usd } from '../../src/core/money.ts'
import { defineOffer, type Offer, pagePath, priceText } from '../../src/offers/offer.ts'
import { type CrawlerCatalog, crawlerCatalogSchema, toCrawlerCatalog } from './crawler-catalog.ts'

/** The query string; other parameters are ignored. */
const BotCatalogQuery = z.object({
  inspect: z
    .enum(['1'], 'must be 1 or absent')
    .optional()
    .describe('1 answers a free description with three sample rows instead of the catalog'),
})

const sample = {
  userAgent: 'GPTBot',
  operator: 'OpenAI',
  purpose: 'Collects public pages that may be used to train OpenAI foundation models.',
  docsUrl: 'https://developers.openai.com/api/docs/bots',
  category: 'training',
  obeysRobotsTxt: 'yes',
  ipRangesUrl: 'https://openai.com/gptbot.json',
  lastVerified: '2026-11-20',
}

/** Who crawls the web for models, with ready rules for robots.txt. */
export default defineOffer({
  slug: 'bot-catalog',
  tool: 'list_ai_crawlers',
  lane: 'hostedApi',
  position: 3,
  title: 'Know the AI crawlers',
  excerpt:
    'The AI crawlers that have public documentation: user agent, operator, purpose, address ranges, and two ready robots.txt files.',
  method: 'GET',
  path: '/api/x402/agent-seo/bot-catalog',
  mimeType: 'application/json',
  price: usd('0.05'),
  input: BotCatalogQuery,
  example: {},
  concurrency: 32,
  delivers: [
    'One JSON document: every crawler with user agent, operator, purpose, category and the page that documents it.',
    'Whether its operator says it obeys robots.txt, and where its address ranges are published, if they are.',
    'Two robots.txt files to paste: one that lets search in, one that keeps training out.',
    'With ?inspect=1: what it is, how many entries it has, and three of them, for nothing.',
  ],
  answer: { name: 'CrawlerCatalog', schema: crawlerCatalogSchema },
  inspect: (offer, baseUrl) => toLanding(offer, toCrawlerCatalog(crawlersSchema.parse(crawlersFile)), baseUrl),
  fileName: 'ai-crawlers.json',
  sample: JSON.stringify(sample, null, 2),
})

const sampleRows = 3

/** What `?inspect=1` answers for nothing: what the catalog is, its price and size, and its first rows. */
function toLanding(offer: Offer, { updatedAt, count, crawlers }: CrawlerCatalog, baseUrl: string): string {
  const { title, excerpt, path } = offer
  return [
    title,
    '',
    excerpt,
    '',
    `Price: ${priceText(offer)} in USDC, by x402. GET ${baseUrl}${path} answers 402 with the terms.`,
    `Crawlers: ${count}, last verified ${updatedAt}.`,
    'Format: JSON with version, updatedAt, count, crawlers and robotsTxt.',
    `More: ${baseUrl}${pagePath(offer)}`,
    '',
    `The first ${sampleRows} of ${count}:`,
    ...crawlers.slice(0, sampleRows).map((crawler) => JSON.stringify(crawler)),
    '',
  ].join('\n')
}
