import { z } from 'zod'

/** What became of each post. */
export const scanResults = z.array(
  z.object({
    slug: z.string(),
    state: z.enum(['narrated', 'unchanged', 'skipped', 'failed']),
    storageKey: z.string().exactOptional(),
    durationSeconds: z.number().exactOptional(),
    reason: z.string().exactOptional(),
  }),
)

export const backupResults = z.object({ prefix: z.string(), tables: z.number(), totalBytes: z.number() })

/** Products that the ledger names and that were not there to be backed up: what no buyer can fetch again. */
export const missingProducts = z.object({ missing: z.array(z.string()) })

/** What may be said of an error to everybody: its first reason without its class, and no folder of this machine. */
export const toPublicReason = (error: string): string =>
  (error.split(' < ')[0] ?? '').replace(/^[A-Z][a-z]\w*: /, '').replace(/(?<![\w.:/])\/(?:[^\s/'"]+\/)+/g, '')

/** The result of a tier as everybody may see it: how many rows each table has is the publisher's own affair. */
export function toPublicResults(result: unknown): unknown {
  const scan = scanResults.safeParse(result)
  if (scan.success)
    return scan.data.map(({ reason, ...post }) => ({
      ...post,
      ...(reason !== undefined && { reason: toPublicReason(reason) }),
    }))
  return backupResults.safeParse(result).data
}
