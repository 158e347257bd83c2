import { z } from 'zod'

/** The result of a media scan: the outcome for each post. */
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

/** Products that the ledger refers to and that were missing or damaged: their buyers cannot fetch them again. */
export const missingProducts = z.object({ missing: z.array(z.string()) })

/** The part of an error that is public: its first reason, without the name of its class and without folders. */
export const toPublicReason = (error: string): string =>
  (error.split(' < ')[0] ?? '').replace(/^[A-Z][a-z]\w*: /, '').replace(/(?<![\w.:/])\/(?:[^\s/'"]+\/)+/g, '')

/** The public part of a tier's result. Numbers of rows per table are left out, because they tell about the business. */
export function toPublicResults(result: unknown): unknown {
  const scan = scanResults.safeParse(result)
  if (scan.success)
    return scan.data.map(({ reason, ...post }) => ({
      ...post,
      ...(reason !== undefined && { reason: toPublicReason(reason) }),
    }))
  return backupResults.safeParse(result).data
}
