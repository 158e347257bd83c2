import { z } from 'zod'
import type { Statistics } from '../../stats/statistics.ts'
import { count, dateTime } from './formats.ts'

/** What was sold (spec: Activity statistics). */
export const statisticsSchema = z.object({
  totalTransactions: count.describe('Paid transactions so far'),
  lastSaleAt: dateTime.nullable(),
  topResources: z.array(
    z.object({ path: z.string(), count: z.int().min(1), totalCents: z.int().describe('Revenue in US cents') }),
  ),
  last30Days: z
    .array(z.object({ date: z.string().meta({ format: 'date' }), count }))
    .describe('Thirty UTC days, oldest first'),
  updatedAt: dateTime,
}) satisfies z.ZodType<Statistics>
