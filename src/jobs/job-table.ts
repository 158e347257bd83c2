const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A job that runs by itself. */
export interface ScheduledJob {
  readonly name: string
  /** When it is due, in UTC. */
  readonly cron: string
  /** A run that ended longer ago than this is out of date; one that lasts twice as long is taken over. */
  readonly windowMs: number
  /** Whether `/api/cron-health.json` speaks of it. */
  readonly isTier: boolean
  /** Jobs of one lane run one after another in a process. */
  readonly lane?: string
  /** Whether a program that starts runs it, due or not: what it looks for came with the start. */
  readonly isForStart?: boolean
}

const backups = { isTier: true, lane: 'backups' }

/** What the press does by itself, in the order that people are shown. */
export const jobTable = [
  { name: 'hourly-backup', cron: '0 * * * *', windowMs: 2 * hour, ...backups },
  { name: 'media-scan', cron: '*/15 * * * *', windowMs: 45 * minute, isTier: true, isForStart: true },
  { name: 'daily-backup', cron: '10 3 * * *', windowMs: 26 * hour, ...backups },
  { name: 'weekly-backup', cron: '20 3 * * 1', windowMs: 8 * day, ...backups },
  { name: 'monthly-backup', cron: '30 3 1 * *', windowMs: 32 * day, ...backups },
  { name: 'reconcile', cron: '*/5 * * * *', windowMs: 15 * minute, isTier: false },
  { name: 'retention', cron: '40 4 * * *', windowMs: 26 * hour, isTier: false },
] as const satisfies readonly ScheduledJob[]

export type JobName = (typeof jobTable)[number]['name']
