import { z } from 'zod'

/** What operators of crawlers answered when they were asked; what nobody answered is not in it. */
export const crawlerFactsSchema = z.object({
  checkedAt: z.iso.datetime(),
  /** By the address of the list in `content/crawlers.json`. */
  ranges: z.record(
    z.string(),
    z.object({
      /** Where it was found in the end. */
      url: z.string(),
      fetchedAt: z.iso.datetime(),
      /** CIDR. */
      prefixes: z.array(z.string()),
    }),
  ),
  /** By address: whether a page of documentation is there. One whose server said neither is missing. */
  docs: z.record(z.string(), z.object({ checkedAt: z.iso.datetime(), isThere: z.boolean() })),
})

/** See crawlerFactsSchema. */
export type CrawlerFacts = z.output<typeof crawlerFactsSchema>
