import { fetchJson } from '../../http/fetch-json.ts'
import { catalogSchema } from '../../offers/catalog-schema.ts'

const deadlineMs = 8_000
const maxBytes = 4 * 1024 * 1024

/** The cheapest product that needs no input. */
export interface Cheapest {
  readonly title: string
  readonly buyUrl: string
  readonly priceMicroUsd: bigint
}

/**
 * Reads the catalog of a running shop.
 *
 * @returns undefined when nothing is sold that needs no input
 * @throws UpstreamError or ZodError when there is no catalog
 */
export async function findCheapest(baseUrl: string): Promise<Cheapest | undefined> {
  const { json } = await fetchJson(`${baseUrl}/api/catalog.json`, { deadlineMs, maxBytes })
  const { skills, hostedApis, content } = catalogSchema.parse(json)
  const [first] = [...skills, ...hostedApis, ...content]
    .filter(({ method }) => method === 'GET')
    .map(({ title, buyUrl, x402 }) => ({
      title,
      // The shop may be reached at another origin than the one in its catalog.
      buyUrl: baseUrl + new URL(buyUrl).pathname,
      priceMicroUsd: BigInt(x402.priceMicroUsd),
    }))
    .sort((a, b) => (a.priceMicroUsd < b.priceMicroUsd ? -1 : 1))
  return first
}
