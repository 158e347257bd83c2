import { type Html, html } from '../core/html.ts'
import type { JobOverview } from '../jobs/job-overview.ts'
import type { StorageUse } from '../operator/storage-use.ts'
import { toPage } from './frame.ts'
import { figure, formToken, moment, notice, size, table } from './parts.ts'

interface House {
  readonly token: string
  /** The digest of the ledger (`ChangeWatch.mark`) from before the data was read. */
  readonly mark: string
  readonly jobs: readonly JobOverview[]
  readonly storage: StorageUse
  readonly said?: string | undefined
}

const shownBackups = 20

const states: Readonly<Record<JobOverview['state'], string>> = {
  never: 'has not run yet',
  running: 'runs now',
  done: 'done',
  stopped: 'was stopped, goes on by itself',
  failed: 'failed',
  late: 'late',
}

const toJob = (job: JobOverview, token: string): readonly (Html | string)[] => [
  html`<strong>${job.title}</strong><br><span class="fine">${job.about}</span>`,
  html`<form method="post" action="/operator/jobs/${job.name}">${formToken(token)}<button class="small"${job.state === 'running' && html` disabled`}>Run now<span class="unseen"> ${job.title}</span></button></form>`,
  states[job.state],
  job.lastAt ? moment(job.lastAt.getTime()) : '–',
  job.nextAt ? moment(job.nextAt.getTime()) : '–',
  job.sentence ?? '–',
]

/** The page of scheduled jobs, disk use and backups. */
export const toJobsPage = ({ token, mark, jobs, storage, said }: House): Html =>
  toPage({
    title: 'Jobs and storage',
    place: '/operator/jobs',
    token,
    isLive: true,
    body: html`${notice(said)}
<div id="live" data-live="/operator/events?since=${mark}">
<h2>Jobs</h2>
<div class="jobs">${table(
      'Jobs',
      ['Job', 'By hand', 'State', 'Last (UTC)', 'Next (UTC)', 'What it did'],
      jobs.map((job) => toJob(job, token)),
    )}</div>
<h2>Storage</h2>
<p>${size(storage.free)} of ${size(storage.disk)} are free on the disk of the data folder.</p>
${table(
  'What takes room',
  ['What', figure('Size')],
  storage.parts.map(({ name, bytes }) => [name, size(bytes)]),
)}
<h2>Backups</h2>
${
  !storage.backups?.length
    ? html`<p>${storage.backups ? 'There is none yet: run a backup above.' : 'They cannot be read at the moment.'}</p>`
    : table(
        'The newest backups',
        ['Backup', figure('Holds')],
        storage.backups
          .slice(0, shownBackups)
          .map(({ prefix, bytes }) => [html`<code>${prefix}</code>`, bytes === undefined ? 'is damaged' : size(bytes)]),
      )
}
<p class="fine">${storage.backups?.length ?? 'An unknown number of'} backups in all. <code>npm run restore</code> tries one and restores it.</p>
</div>`,
  })
