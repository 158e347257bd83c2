import { z } from 'zod'
import { tierSchema } from './backup-tiers.ts'

/** What a thread is asked to do. */
export const orderSchema = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('make'),
    folder: z.string(),
    dataDir: z.string(),
    prefix: z.string(),
    tier: tierSchema,
    at: z.number(),
    /** An empty folder for copies. */
    scratch: z.string(),
  }),
  z.object({ is: z.literal('prune'), folder: z.string(), now: z.number() }),
])
export type WorkerOrder = z.output<typeof orderSchema>

const reportSchema = z.object({
  prefix: z.string(),
  /** How many tables of both databases are in it. */
  tables: z.number(),
  /** Size of all its files as they are kept; products that other backups share are counted in each. */
  totalBytes: z.number(),
  /** By `database.table`, as in `ledger.sale`. */
  rows: z.record(z.string(), z.number()),
  /** Products that the ledger names and that were gone or damaged before. */
  missing: z.array(z.string()),
})

/** What became of a backup that was made, verified and kept. */
export type BackupReport = z.output<typeof reportSchema>

/** What a thread tells. */
export const messageSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('progress'), line: z.string() }),
  z.object({ is: z.literal('made'), report: reportSchema }),
  z.object({ is: z.literal('pruned'), prefixes: z.array(z.string()) }),
])
export type WorkerMessage = z.output<typeof messageSchema>
