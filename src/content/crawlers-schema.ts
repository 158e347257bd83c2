import { z } from 'zod'

/** What crawlers come for: to train models, to search, because a person asked, or because the site's owner did. */
export const crawlerUses = ['train', 'search', 'person', 'owner'] as const

/** One crawler of `content/crawlers.json`; what else is known of it is kept there and ignored here. */
const crawlerSchema = z.object({
  /** Token in robots.txt, and what to look for in the `User-Agent` header. */
  userAgent: z.string().min(1),
  /** Other tokens of the same crawler. */
  aliases: z.array(z.string().min(1)).default([]),
  operator: z.string().min(1),
  category: z.enum(['training', 'search', 'user_fetch', 'agent', 'data_collection', 'control_token', 'ads', 'preview']),
  purpose: z.string().min(1),
  docsUrl: z.url().nullable(),
  /** What its operator says, or the best public evidence. */
  obeysRobotsTxt: z.enum(['yes', 'no', 'partial', 'unknown']),
  ipRangesUrl: z.url().nullable(),
  /** Where the same list is, too. */
  alternateIpRangesUrl: z.url().optional(),
  /** Names that its addresses have in reverse DNS end in one of these. */
  rdnsSuffixes: z.array(z.string().min(1)).default([]),
  /** The host whose keys its requests are signed with (Web Bot Auth). */
  signatureAgent: z.string().min(1).optional(),
  /** Where its category says something else than who wants the page: see `crawlerUses`. */
  use: z.enum(crawlerUses).optional(),
})

/** `content/crawlers.json`. */
export const crawlersSchema = z.object({
  compiledAt: z.iso.date(),
  crawlers: z.array(crawlerSchema),
})

/** See crawlersSchema. */
export type CrawlersFile = z.output<typeof crawlersSchema>

/** See crawlerSchema. */
export type Crawler = z.output<typeof crawlerSchema>
