import { z } from 'zod'
import { toUserAgentLines } from '../../src/content/crawler-wishes.ts'
import type { Crawler, CrawlersFile } from '../../src/content/crawlers-schema.ts'
import { count, dateTime, uri } from '../../src/core/formats.ts'

/** What the crawler catalog delivers. */
export const crawlerCatalogSchema = z.object({
  version: z.string(),
  updatedAt: z.union([dateTime, z.string().meta({ format: 'date' })]),
  count,
  crawlers: z.array(
    z.object({
      userAgent: z.string().describe('Token for robots.txt, and what to look for in the User-Agent header'),
      operator: z.string(),
      purpose: z.string(),
      docsUrl: uri,
      category: z.string(),
      obeysRobotsTxt: z.string().describe('What its operator says: yes, no, partial or unknown'),
      ipRangesUrl: uri.nullable(),
      lastVerified: z.string(),
    }),
  ),
  robotsTxt: z.object({ allowSearch: z.string(), blockTraining: z.string() }),
})

/** See crawlerCatalogSchema. */
export type CrawlerCatalog = z.output<typeof crawlerCatalogSchema>

const toRobots = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** The crawlers that their operators document, and rules for robots.txt made of the same entries. */
export function toCrawlerCatalog({ compiledAt, crawlers }: CrawlersFile): CrawlerCatalog {
  const documented = crawlers.flatMap((crawler) => {
    const { docsUrl } = crawler
    return docsUrl === null ? [] : [{ ...crawler, docsUrl }]
  })
  return {
    version: '1.0',
    updatedAt: compiledAt,
    count: documented.length,
    crawlers: documented.map(({ userAgent, operator, purpose, docsUrl, category, obeysRobotsTxt, ipRangesUrl }) => ({
      userAgent,
      operator,
      purpose,
      docsUrl,
      category,
      obeysRobotsTxt,
      ipRangesUrl,
      lastVerified: compiledAt,
    })),
    robotsTxt: { allowSearch: allowSearch(documented), blockTraining: blockTraining(documented) },
  }
}

const allowSearch = (crawlers: readonly Crawler[]): string =>
  toRobots([
    '# Crawlers that search, and those that fetch a page because somebody asked: welcome.',
    ...toUserAgentLines(crawlers, 'search', 'reading'),
    'Allow: /',
  ])

/** A crawler obeys the group that names it and no other, so this stands beside any other rules. */
const blockTraining = (crawlers: readonly Crawler[]): string =>
  toRobots([
    '# Crawlers that collect for training and data sets, and the tokens that stand for it: not here.',
    ...toUserAgentLines(crawlers, 'training'),
    'Disallow: /',
  ])
