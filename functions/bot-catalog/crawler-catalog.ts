import { z } from 'zod'
import { toUserAgentLines } from '../../src/content/crawler-wishes.ts'
import { type Crawler, type CrawlersFile, crawlerUses } from '../../src/content/crawlers-schema.ts'
import { count, dateTime, uri } from '../../src/core/formats.ts'
import type { CrawlerFacts } from '../../src/crawlers/crawler-facts.ts'
import { toRuleBlocks, useOf } from './rule-blocks.ts'

const date = z.string().meta({ format: 'date' })

const ipRanges = z.object({
  url: uri.describe('Where the operator publishes them'),
  fetchedAt: dateTime,
  prefixes: z.array(z.string()).describe('CIDR, IPv4 and IPv6'),
})

const verification = z.object({
  method: z.enum(['ip-ranges', 'reverse-dns', 'signed-requests']),
  how: z.string().describe('What to compare with what'),
})

const crawlerSchema = z.object({
  userAgent: z.string().describe('Token for robots.txt, and what to look for in the User-Agent header'),
  aliases: z.array(z.string()).describe('Other names of the same crawler'),
  operator: z.string(),
  purpose: z.string(),
  use: z
    .enum(crawlerUses)
    .describe('What it comes for: to train, to search, because a person asked, or the owner of the site'),
  docsUrl: uri.describe("The operator's own page about it"),
  category: z.string(),
  obeysRobotsTxt: z.string().describe('What its operator says: yes, no, partial or unknown'),
  ipRangesUrl: uri.nullable(),
  ipRanges: ipRanges
    .nullable()
    .describe('As the operator published them when it was asked last; null when it did not answer'),
  verification: z.array(verification).describe('How to tell it from who borrows its name; empty when there is no way'),
  lastVerified: z
    .object({
      entry: date.describe('The row was compared with public sources'),
      docsUrl: dateTime.nullable().describe('The page of documentation answered'),
      ipRanges: dateTime.nullable().describe('The address ranges were fetched'),
    })
    .describe('What was verified, and when; null for what was not'),
})

const ruleBlock = z.object({
  robotsTxt: z.string(),
  nginx: z.string(),
  caddy: z.string().describe('For a site block of a Caddyfile'),
  cloudflare: z.string().describe('Expression of a custom rule; its action is Block'),
})

/** What the crawler catalog delivers. */
export const crawlerCatalogSchema = z.object({
  version: z.string(),
  updatedAt: z.union([dateTime, date]),
  count: count.describe('Length of crawlers'),
  crawlers: z.array(crawlerSchema),
  undocumented: z
    .array(crawlerSchema.extend({ docsUrl: z.null() }))
    .describe('Seen in the wild; their operators publish no page about them, or it is gone'),
  robotsTxt: z.object({ allowSearch: z.string(), blockTraining: z.string() }),
  rules: z
    .object({ train: ruleBlock, search: ruleBlock, person: ruleBlock, owner: ruleBlock })
    .describe('Rules that keep the crawlers of one use out, to paste'),
})

/** See crawlerCatalogSchema. */
export type CrawlerCatalog = z.output<typeof crawlerCatalogSchema>

/**
 * The catalog as it is sold: all crawlers of the file, divided into those that their operator documents and those that
 * nobody documents, with blocking rules derived from the same entries.
 *
 * @param facts what the operators' pages and address lists contained when they were last fetched
 */
export function toCrawlerCatalog({ compiledAt, crawlers }: CrawlersFile, facts?: CrawlerFacts): CrawlerCatalog {
  const rows = crawlers.map((crawler) => toRow(crawler, compiledAt, facts))
  const documented = rows.flatMap(({ docsUrl, ...row }) => (docsUrl === null ? [] : [{ ...row, docsUrl }]))
  return {
    version: '1.0',
    updatedAt: facts?.checkedAt ?? compiledAt,
    count: documented.length,
    crawlers: documented,
    undocumented: rows.flatMap(({ docsUrl, ...row }) => (docsUrl === null ? [{ ...row, docsUrl }] : [])),
    robotsTxt: { allowSearch: allowSearch(crawlers), blockTraining: blockTraining(crawlers) },
    rules: toRuleBlocks(crawlers),
  }
}

function toRow(crawler: Crawler, compiledAt: string, facts: CrawlerFacts | undefined) {
  const { userAgent, aliases, operator, purpose, category, obeysRobotsTxt, ipRangesUrl } = crawler
  const seen = crawler.docsUrl === null ? undefined : facts?.docs[crawler.docsUrl]
  const ranges = ipRangesUrl === null ? undefined : facts?.ranges[ipRangesUrl]
  return {
    ...{ userAgent, aliases, operator, purpose, use: useOf(crawler) },
    docsUrl: seen?.isThere === false ? null : crawler.docsUrl,
    ...{ category, obeysRobotsTxt, ipRangesUrl },
    ipRanges: ranges ?? null,
    verification: toVerification(crawler),
    lastVerified: {
      entry: compiledAt,
      docsUrl: seen?.isThere ? seen.checkedAt : null,
      ipRanges: ranges?.fetchedAt ?? null,
    },
  }
}

const toVerification = ({ ipRangesUrl, rdnsSuffixes, signatureAgent }: Crawler): z.output<typeof verification>[] => [
  ...(ipRangesUrl === null
    ? []
    : [{ method: 'ip-ranges' as const, how: `its address is in one of the ranges at ${ipRangesUrl}` }]),
  ...(rdnsSuffixes.length === 0
    ? []
    : [
        {
          method: 'reverse-dns' as const,
          how: `the name of its address ends in .${rdnsSuffixes.join(' or .')}, and that name leads back to the address`,
        },
      ]),
  ...(signatureAgent === undefined
    ? []
    : [
        {
          method: 'signed-requests' as const,
          how: `its requests are signed (RFC 9421, Web Bot Auth) with a key of https://${signatureAgent}/.well-known/http-message-signatures-directory`,
        },
      ]),
]

/** Without names the rule is left out: pasted below another group, it would apply to that group. */
const toRobots = (about: string, names: readonly string[], rule: string): string =>
  `${[about, ...(names.length === 0 ? ['# There are none.'] : [...names, rule])].join('\n')}\n`

const allowSearch = (crawlers: readonly Crawler[]): string =>
  toRobots(
    '# Crawlers that search, and those that fetch a page because somebody asked: welcome.',
    toUserAgentLines(crawlers, 'search', 'reading'),
    'Allow: /',
  )

/** A crawler obeys only the group that names it (RFC 9309), so this group can be added to any other rules. */
const blockTraining = (crawlers: readonly Crawler[]): string =>
  toRobots(
    '# Crawlers that collect for training and data sets, and the tokens that stand for it: not here.',
    toUserAgentLines(crawlers, 'training'),
    'Disallow: /',
  )
