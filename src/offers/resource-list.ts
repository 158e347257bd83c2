import { z } from 'zod'
import { evmAddress, microUsdText } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'
import { listLimit } from '../core/list-limit.ts'

const [maxResources, usualResources] = [1000, 100]

const maxOffset = 9_999_999_999
const offset = z
  .codec(
    z.string().regex(/^(?:0|[1-9]\d{0,9})$/, `must be a whole number from 0 to ${maxOffset}`),
    z.int().min(0).max(maxOffset),
    { decode: Number, encode: String },
  )
  .default(0)

/** The query of the list of paid resources, as for facilitators. Unknown parameters are ignored. */
export const resourceQuery = z.object({
  type: z.string().optional().describe('Only of this kind: http or mcp'),
  payTo: z.string().optional().describe('Only what pays this wallet'),
  scheme: z.string().optional().describe('Only with terms of this scheme'),
  network: z.string().optional().describe('Only with terms on this network'),
  extensions: z.string().optional().describe('Only what declares this extension'),
  limit: listLimit(maxResources, usualResources),
  offset: offset.describe('How many to pass over'),
})
type ResourceQuery = z.output<typeof resourceQuery>

const resourceSchema = z.object({
  resource: z.string().describe('Its address'),
  type: z.enum(['http', 'mcp']),
  x402Version: z.literal(2),
  accepts: z.array(
    z.looseObject({
      scheme: z.string(),
      network: z.string(),
      asset: evmAddress,
      amount: microUsdText,
      payTo: evmAddress,
    }),
  ),
  lastUpdated: z.iso.datetime(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  extensions: z.record(z.string(), z.unknown()),
})
/** A paid resource with its terms, in the format of facilitators. */
export type PaidResource = z.output<typeof resourceSchema>

/** `/discovery/resources`, in the format of x402 v2 facilitators. */
export const resourceListSchema = z
  .object({
    x402Version: z.literal(2),
    items: z.array(resourceSchema),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  })
  .register(documents, { name: 'PaidResources' })

/** The requested part of the filtered list, in the order of the list. `total` counts all that pass the filters. */
export function toResourceList(
  resources: readonly PaidResource[],
  { type, payTo, scheme, network, extensions, limit, offset: from }: ResourceQuery,
): z.output<typeof resourceListSchema> {
  const isAsked = (wish: string | undefined, value: string): boolean =>
    wish === undefined || wish.toLowerCase() === value.toLowerCase()
  const found = resources.filter(
    (one) =>
      isAsked(type, one.type) &&
      (extensions === undefined || Object.hasOwn(one.extensions, extensions)) &&
      one.accepts.some(
        (terms) => isAsked(payTo, terms.payTo) && isAsked(scheme, terms.scheme) && isAsked(network, terms.network),
      ),
  )
  return {
    x402Version: 2,
    items: found.slice(from, from + limit),
    pagination: { limit, offset: from, total: found.length },
  }
}
