import { z } from 'zod'

/** What crawlers fetch for: to train models, for search, for a person who asked, or for the owner of the site. */
export const crawlerUses = ['train', 'search', 'person', 'owner'] as const

/** One crawler of `content/crawlers.json`; further fields of the file are ignored here. */
const crawlerSchema = z.object({
  /** Token in robots.txt, and what to look for in the `User-Agent` header. */
  userAgent: z.string().min(1),
  /** Other tokens of the same crawler. */
  aliases: z.array(z.string().min(1)).default([]),
  operator: z.string().min(1),
  category: z.enum(['training', 'search', 'user_fetch', 'agent', 'data_collection', 'control_token', 'ads', 'preview']),
  purpose: z.string().min(1),
  docsUrl: z.url().nullable(),
  /** According to its operator, or to the best public evidence. */
  obeysRobotsTxt: z.enum(['yes', 'no', 'partial', 'unknown']),
  ipRangesUrl: z.url().nullable(),
  /** A second address of the same list. */
  alternateIpRangesUrl: z.url().optional(),
  /** Its IP addresses resolve, by reverse DNS, to names that end in one of these. */
  rdnsSuffixes: z.array(z.string().min(1)).default([]),
  /** The host whose keys its requests are signed with (Web Bot Auth). */
  signatureAgent: z.string().min(1).optional(),
  /** Its use, where that does not follow from its category. */
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
