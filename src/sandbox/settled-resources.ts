import { z } from 'zod'
import { type PaidResource, resourceQuery, toResourceList } from '../offers/resource-list.ts'

/** What a payment says about its resource, if its client repeats what the 402 said. */
const Bought = z.looseObject({
  resource: z.object({
    url: z.url({ protocol: /^(?:https?|mcp)$/ }),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    serviceName: z.string().optional(),
  }),
  extensions: z.object({
    bazaar: z.looseObject({
      info: z.looseObject({
        input: z.looseObject({ type: z.enum(['http', 'mcp']), toolName: z.string().optional() }),
      }),
    }),
  }),
})
const Terms = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
})

/** The largest number of entries, more than a shop needs; beyond it the oldest are removed. */
const maxResources = 1000

/**
 * The list of resources that were paid through a facilitator: one entry for each URL, or tool at a URL, as described by
 * its latest settled payment. It is kept in memory, so it starts empty.
 */
export function makeSettledResources(now: () => number) {
  const resources = new Map<string, PaidResource>()
  return {
    keep(payment: unknown, terms: unknown): void {
      const bought = Bought.safeParse(payment)
      const accepted = Terms.safeParse(terms)
      if (!bought.success || !accepted.success) return
      const { resource, extensions } = bought.data
      const { type, toolName } = extensions.bazaar.info.input
      const { url, ...about } = resource
      const { href } = new URL(url)
      const address = href.replace(/[?#].*$/, '')
      const key = `${address} ${toolName ?? ''}`
      resources.delete(key)
      resources.set(key, {
        resource: address,
        type,
        x402Version: 2,
        accepts: [accepted.data],
        lastUpdated: new Date(now()).toISOString(),
        ...about,
        metadata: {},
        extensions,
      })
      const [oldest] = resources.keys()
      if (resources.size > maxResources && oldest !== undefined) resources.delete(oldest)
    },
    list: (asked: URLSearchParams) => {
      const query = resourceQuery.safeParse(Object.fromEntries(asked))
      return query.success ? toResourceList([...resources.values()].reverse(), query.data) : undefined
    },
  }
}
