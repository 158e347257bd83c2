import type { CronHealth } from './cron-health-schema.ts'
import { endOf, failureOf } from './cut-off.ts'
import { toPublicReason, toPublicResults } from './job-results.ts'
import type { JobRunRow } from './job-runs.ts'
import { jobTable } from './job-table.ts'

/** A run that has come to an end. */
export type EndedRun = JobRunRow & {
  readonly finished_at: number
  /** When one of its job last succeeded, or the first began where none has. */
  readonly good_at?: number | null
  /** The error of the last one of its job that nothing but its work ended, if that failed. */
  readonly failed_with?: string | null
}

/**
 * From the latest ended run of each job. Freshness is computed at every look and never kept. `fresh` speaks of the
 * latest run over all tiers, as the contract has it: a backup that fails while posts are scanned leaves it true, so
 * `ok` speaks of every tier.
 */
export function toCronHealth(ended: readonly EndedRun[], now: number): CronHealth {
  const latest = new Map(ended.map((run) => [run.job, run]))
  const runs = jobTable.flatMap((job) => {
    const run = latest.get(job.name)
    return run && job.isTier ? [{ job, run }] : []
  })
  const records = runs.map(({ job, run }) => ({
    at: run.finished_at,
    record: {
      cron: job.cron,
      tier: job.name,
      startedAt: new Date(run.started_at).toISOString(),
      finishedAt: new Date(run.finished_at).toISOString(),
      ok: run.state === 'succeeded',
      fresh: now - endOf(run) <= job.windowMs,
      ...(run.result !== null && { results: toPublicResults(JSON.parse(run.result)) }),
      ...(run.error !== null && { error: toPublicReason(run.error) }),
    },
  }))
  const failing = runs.flatMap(({ job, run }, at) => {
    return failureOf(run) !== null || records[at]?.record.fresh === false ? [job.name] : []
  })
  const last = records.toSorted((a, b) => b.at - a.at)[0]
  return {
    fresh: last?.record.fresh ?? false,
    // A clock that was set back makes no run of the future.
    ...(last && { secondsSinceLastRun: Math.max(0, Math.floor((now - last.at) / 1000)) }),
    cronLastRun: last?.record ?? null,
    byTier: Object.fromEntries(records.map(({ record }) => [record.tier, record])),
    ok: failing.length === 0,
    failing,
  }
}
