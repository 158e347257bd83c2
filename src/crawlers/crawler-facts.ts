import { z } from 'zod'

/** The results of a check of crawlers; where a server did not answer, the entry is missing. */
export const crawlerFactsSchema = z.object({
  checkedAt: z.iso.datetime(),
  /** Address ranges, by the list's address in `content/crawlers.json`. */
  ranges: z.record(
    z.string(),
    z.object({
      /** The address that the list was fetched from, which may be the alternate one. */
      url: z.string(),
      fetchedAt: z.iso.datetime(),
      /** Address ranges in CIDR notation. */
      prefixes: z.array(z.string()),
    }),
  ),
  /** By address, whether a page of documentation exists. Pages for which the check was inconclusive are missing. */
  docs: z.record(z.string(), z.object({ checkedAt: z.iso.datetime(), isThere: z.boolean() })),
})

/** See crawlerFactsSchema. */
export type CrawlerFacts = z.output<typeof crawlerFactsSchema>
