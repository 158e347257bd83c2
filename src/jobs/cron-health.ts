import type { CronHealth } from './cron-health-schema.ts'
import { endOf, failureOf } from './cut-off.ts'
import { toPublicReason, toPublicResults } from './job-results.ts'
import type { JobRunRow } from './job-runs.ts'
import { jobTable } from './job-table.ts'

/** A run that has ended. */
export type EndedRun = JobRunRow & {
  readonly finished_at: number
  /** When a run of its job last succeeded, or when the first one began if none has succeeded. */
  readonly good_at?: number | null
  /** The error of the job's last run that was not cut off by a restart, if that run failed. */
  readonly failed_with?: string | null
}

/** The public results of runs; a scan names every post, and the same runs are asked for often. */
const knownResults = new WeakMap<EndedRun, { readonly results?: unknown }>()

function resultsOf(run: EndedRun): { readonly results?: unknown } {
  const known = knownResults.get(run)
  if (known) return known
  const fresh = run.result === null ? {} : { results: toPublicResults(JSON.parse(run.result)) }
  knownResults.set(run, fresh)
  return fresh
}

/**
 * Computes the health from the latest ended run of each job. Freshness is computed anew each time and never stored.
 * `fresh` is about the latest run over all tiers, as the contract says: it stays true when backups fail while posts are
 * scanned, so `ok` is about every tier.
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
      ...resultsOf(run),
      ...(run.error !== null && { error: toPublicReason(run.error) }),
    },
  }))
  const failing = runs.flatMap(({ job, run }, at) => {
    return failureOf(run) !== null || records[at]?.record.fresh === false ? [job.name] : []
  })
  const last = records.toSorted((a, b) => b.at - a.at)[0]
  return {
    fresh: last?.record.fresh ?? false,
    // Not negative after the clock was set back.
    ...(last && { secondsSinceLastRun: Math.max(0, Math.floor((now - last.at) / 1000)) }),
    cronLastRun: last?.record ?? null,
    byTier: Object.fromEntries(records.map(({ record }) => [record.tier, record])),
    ok: failing.length === 0,
    failing,
  }
}
