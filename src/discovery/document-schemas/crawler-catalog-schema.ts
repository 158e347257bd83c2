import { z } from 'zod'
import { count, dateTime, uri } from './formats.ts'

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
