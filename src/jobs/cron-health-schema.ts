import { z } from 'zod'
import { count, dateTime } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'

/** The latest run of a tier (spec: run record). */
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

const backup: z.output<typeof run> = {
  cron: '0 * * * *',
  tier: 'hourly-backup',
  startedAt: '2026-11-20T08:00:00.000Z',
  finishedAt: '2026-11-20T08:00:02.000Z',
  ok: true,
  fresh: true,
  results: { prefix: 'hourly/2026-11-20T080000Z', tables: 20, totalBytes: 81_920 },
}

/** The body of `/api/cron-health.json`: the state of the scheduled jobs (spec: Scheduled-job health). */
export const cronHealthSchema = z
  .object({
    fresh: z.boolean().describe('False when the latest run over all tiers is older than the window of its tier'),
    secondsSinceLastRun: count.exactOptional().describe('Absent while nothing has run'),
    cronLastRun: run.nullable().describe('The latest run over all tiers'),
    byTier: z.record(z.string(), run).describe('The latest run of each tier'),
    ok: z.boolean().describe('False while a tier is among the failing ones, however fresh the others are'),
    failing: z
      .array(z.string())
      .describe(
        'The tiers whose latest run failed, or is out of its window; one that was cut off goes on, and counts as before it',
      ),
  })
  .register(documents, {
    name: 'CronHealth',
    example: {
      fresh: true,
      secondsSinceLastRun: 40,
      cronLastRun: backup,
      byTier: { 'hourly-backup': backup },
      ok: true,
      failing: [],
    },
  })

export type CronHealth = z.output<typeof cronHealthSchema>
