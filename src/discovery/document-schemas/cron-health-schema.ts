import { z } from 'zod'
import type { CronHealth } from '../../jobs/cron-health.ts'
import { count, dateTime } from './formats.ts'

const run = z.object({
  cron: z.string().describe('When it is due, a cron expression in UTC'),
  tier: z.string(),
  startedAt: dateTime,
  finishedAt: dateTime,
  ok: z.boolean(),
  fresh: z.boolean().describe('Whether it ended within the window of its tier'),
  results: z
    .unknown()
    .exactOptional()
    .describe('Of a backup its prefix, tables and totalBytes; of the media scan what became of each post'),
  error: z.string().exactOptional().describe('Only of a run that failed'),
})

/** How the scheduled jobs do (spec: Scheduled-job health). */
export const cronHealthSchema = z.object({
  fresh: z.boolean().describe('False when the latest run over all tiers is older than the window of its tier'),
  secondsSinceLastRun: count.exactOptional().describe('Absent while nothing has run'),
  cronLastRun: run.nullable().describe('The latest run over all tiers'),
  byTier: z.record(z.string(), run).describe('The latest run of each tier'),
}) satisfies z.ZodType<CronHealth>
