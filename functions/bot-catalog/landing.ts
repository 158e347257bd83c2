import { type Offer, pagePath, priceText } from '../../src/offers/offer.ts'
import type { CrawlerCatalog } from './crawler-catalog.ts'

const sampleRows = 3

/** What `?inspect=1` answers for nothing: what the catalog is, its price and size, and its first rows. */
export function toLanding(offer: Offer, { updatedAt, count, crawlers }: CrawlerCatalog, baseUrl: string): string {
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
