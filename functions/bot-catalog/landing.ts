import { pagePath } from '../offer.ts'
import { priceText } from '../price-text.ts'
import type { CrawlerCatalog } from './crawler-catalog.ts'
import { botCatalogOffer } from './offer.ts'

const sampleRows = 3

/** What `?inspect=1` answers for nothing: what the catalog is, its price and size, and its first rows. */
export function toLanding({ updatedAt, count, crawlers }: CrawlerCatalog, baseUrl: string): string {
  const { title, excerpt, path } = botCatalogOffer
  return [
    title,
    '',
    excerpt,
    '',
    `Price: ${priceText(botCatalogOffer)} in USDC, by x402. GET ${baseUrl}${path} answers 402 with the terms.`,
    `Crawlers: ${count}, last verified ${updatedAt}.`,
    'Format: JSON with version, updatedAt, count, crawlers and robotsTxt.',
    `More: ${baseUrl}${pagePath(botCatalogOffer)}`,
    '',
    `The first ${sampleRows} of ${count}:`,
    ...crawlers.slice(0, sampleRows).map((crawler) => JSON.stringify(crawler)),
    '',
  ].join('\n')
}
