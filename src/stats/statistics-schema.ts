import { z } from 'zod'
import { atomicText, count, dateTime, evmAddress } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'
import type { Statistics } from './statistics.ts'

/** The body of `/api/stats.json` (spec: Activity statistics). */
export const statisticsSchema = z
  .object({
    totalTransactions: count.describe('Paid transactions so far'),
    lastSaleAt: dateTime.nullable(),
    topResources: z.array(
      z.object({ path: z.string(), count: z.int().min(1), totalCents: z.int().describe('Revenue in US cents') }),
    ),
    last30Days: z
      .array(z.object({ date: z.string().meta({ format: 'date' }), count }))
      .describe('Thirty UTC days, oldest first'),
    otherAssets: z
      .array(
        z.object({
          network: z.string(),
          asset: evmAddress,
          symbol: z.string(),
          count: z.int().min(1),
          totalUnits: atomicText.describe('Atomic units of the asset'),
        }),
      )
      .describe('Sales for other tokens than USDC, which are no part of the cents; absent where there are none')
      .exactOptional(),
    updatedAt: dateTime,
  })
  .register(documents, {
    name: 'Statistics',
    example: {
      totalTransactions: 2,
      lastSaleAt: '2026-11-20T08:00:00.000Z',
      topResources: [{ path: '/skills/x402-buyer/raw', count: 2, totalCents: 20 }],
      last30Days: [{ date: '2026-11-20', count: 2 }],
      updatedAt: '2026-11-20T08:00:00.000Z',
    },
  }) satisfies z.ZodType<Statistics>
