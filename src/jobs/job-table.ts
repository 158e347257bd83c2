const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A job that runs on a schedule. */
export interface ScheduledJob {
  readonly name: string
  /** When it is due, a cron expression in UTC. */
  readonly cron: string
  /** A job is late when its last run ended longer ago than this; a run that lasts twice as long is taken over. */
  readonly windowMs: number
  /** Jobs of the same lane run one after another within a process. */
  readonly lane?: string
  /** Whether it also runs when a program starts or switches to a new build, because that brings what it looks for. */
  readonly isForStart?: boolean
}

interface PressJob extends ScheduledJob {
  /** For people. */
  readonly title: string
  readonly about: string
  /** Whether `/api/cron-health.json` reports it. */
  readonly isTier: boolean
}

const backups = { isTier: true, lane: 'backups' }

/** All scheduled jobs, in the order in which people see them. */
export const jobTable = [
  {
    name: 'hourly-backup',
    title: 'Hourly backup',
    about: 'backs up the data folder',
    cron: '0 * * * *',
    windowMs: 2 * hour,
    ...backups,
  },
  {
    name: 'media-scan',
    title: 'Narration',
    about: 'narrates new and changed posts',
    cron: '*/15 * * * *',
    windowMs: 45 * minute,
    isTier: true,
    isForStart: true,
  },
  {
    name: 'daily-backup',
    title: 'Daily backup',
    about: 'backs up the data folder, kept for days',
    cron: '10 3 * * *',
    windowMs: 26 * hour,
    ...backups,
  },
  {
    name: 'weekly-backup',
    title: 'Weekly backup',
    about: 'backs up the data folder, kept for weeks',
    cron: '20 3 * * 1',
    windowMs: 8 * day,
    ...backups,
  },
  {
    name: 'monthly-backup',
    title: 'Monthly backup',
    about: 'backs up the data folder, kept for months',
    cron: '30 3 1 * *',
    windowMs: 32 * day,
    ...backups,
  },
  {
    name: 'reconcile',
    title: 'Payments',
    about: 'checks on the chain what became of unfinished payments',
    cron: '*/5 * * * *',
    windowMs: 15 * minute,
    isTier: false,
  },
  {
    name: 'publish',
    title: 'Publishing',
    about: 'publishes posts whose time has come',
    cron: '*/5 * * * *',
    windowMs: 30 * minute,
    isTier: false,
    isForStart: true,
  },
  {
    name: 'websub',
    title: 'Hubs',
    about: 'tells the hubs of the feeds what has changed',
    cron: '*/5 * * * *',
    windowMs: 30 * minute,
    isTier: false,
    isForStart: true,
  },
  {
    name: 'webmentions',
    title: 'Mentions',
    about: 'checks pages that say that they mention a post',
    cron: '*/5 * * * *',
    windowMs: 30 * minute,
    isTier: false,
  },
  {
    name: 'newsletter',
    title: 'Newsletter',
    about: 'sends new posts to readers, by e-mail',
    cron: '*/5 * * * *',
    windowMs: 30 * minute,
    isTier: false,
    isForStart: true,
  },
  {
    name: 'crawler-check',
    title: 'Crawlers',
    about: 'asks operators of crawlers for their IP ranges, and checks that their documentation is still there',
    cron: '35 5 * * *',
    windowMs: 26 * hour,
    isTier: false,
  },
  {
    name: 'retention',
    title: 'Clearing out',
    about: 'deletes old products, backups and job history that nobody can ask for any more',
    cron: '40 4 * * *',
    windowMs: 26 * hour,
    isTier: false,
  },
] as const satisfies readonly PressJob[]

export type JobName = (typeof jobTable)[number]['name']
