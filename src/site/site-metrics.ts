import { statfs } from 'node:fs/promises'
import type { NamedFinding } from '../core/finding.ts'
import type { OwnStanding } from '../health/own-facilitator.ts'
import type { EndedRun } from '../jobs/cron-health.ts'
import { endOf, failureOf, goesOn } from '../jobs/cut-off.ts'
import { makeFacilitatorMetric } from '../metrics/facilitator-metric.ts'
import { makeGauge, makeGauges } from '../metrics/gauge.ts'
import type { Metric } from '../metrics/metric.ts'
import type { Offer } from '../offers/offer.ts'

interface Options {
  readonly dataDir: string
  /** The current offers. */
  readonly offers: () => readonly Offer[]
  readonly slotsInUse: () => ReadonlyMap<string, number>
  readonly underWay: () => number
  readonly isSettling: () => boolean
  /** Asks our own facilitator for its state; absent when it is somebody else's. */
  readonly askOwn?: (() => Promise<OwnStanding | undefined>) | undefined
  /** The finding about each part that a sale needs. */
  readonly findings: () => Promise<readonly NamedFinding[]>
  /** The latest completed run of each job. */
  readonly endedRuns: () => Promise<readonly EndedRun[]>
  readonly waitingWebhooks: () => Promise<number>
  readonly waitingEmails: () => Promise<number>
}

/** The gauges of the state of the site. */
export function makeSiteMetrics(options: Options): readonly Metric[] {
  const { dataDir, offers, slotsInUse, underWay, isSettling, askOwn, findings, endedRuns, waitingWebhooks } = options
  const { waitingEmails } = options
  const slots = { name: 'farthing_work_slots_in_use', help: 'Products that are being made, by product.' }
  const limits = { name: 'farthing_work_slots', help: 'Products that may be made at a time, by product.' }
  const free = { name: 'farthing_disk_free_bytes', help: 'Free space where the data folder is.' }
  const size = { name: 'farthing_disk_size_bytes', help: 'Size of the disk where the data folder is.' }
  const settling = {
    name: 'farthing_is_settling',
    help: '1 while payments settle, 0 when several were sent and none was seen on the chain.',
  }
  const gas = { name: 'farthing_gas_settlements_left', help: 'Settlements that our own gas wallet still pays for.' }
  const queue = {
    name: 'farthing_settlements_waiting',
    help: 'Transactions of our own facilitator without a block yet.',
  }
  const purchases = { name: 'farthing_purchases_under_way', help: 'Paid requests that are not answered yet.' }
  const ended = {
    name: 'farthing_job_ended_timestamp_seconds',
    help: 'When a job last ended, or last succeeded if that run was cut off, by job.',
  }
  const ok = {
    name: 'farthing_job_ok',
    help: '1 when the last run of a job succeeded, 0 when it failed, by job; cut off, as before that if it failed, else neither.',
  }
  const webhooks = { name: 'farthing_webhooks_waiting', help: 'Webhook messages that are not delivered yet.' }
  const emails = { name: 'farthing_emails_waiting', help: 'E-mails to the operator that are not handed in yet.' }
  return [
    makeGauges(slots, 'product', () => offers().map(({ id }) => [id, slotsInUse().get(id) ?? 0] as const)),
    makeGauges(limits, 'product', () => offers().map(({ id, concurrency }) => [id, concurrency] as const)),
    makeGauge(purchases, underWay),
    makeFacilitatorMetric(findings),
    makeGauge(settling, () => Number(isSettling())),
    makeGauge(gas, async () => (await askOwn?.())?.gas?.settlementsLeft),
    makeGauge(queue, async () => (await askOwn?.())?.waiting),
    makeGauge(webhooks, waitingWebhooks),
    makeGauge(emails, waitingEmails),
    makeGauges(ended, 'job', async () => (await endedRuns()).map((run) => [run.job, endOf(run) / 1000] as const)),
    makeGauges(ok, 'job', async () =>
      // A run that was cut off continues by itself. If it counted, each restart would raise an alarm, or end an earlier
      // one.
      (await endedRuns()).flatMap((run) => {
        const isOk = failureOf(run) === null
        return isOk && goesOn(run.error) ? [] : [[run.job, Number(isOk)] as const]
      }),
    ),
    makeGauge(free, async () => toBytes(await statfs(dataDir)).free),
    makeGauge(size, async () => toBytes(await statfs(dataDir)).size),
  ]
}

const toBytes = ({ bavail, blocks, bsize }: { bavail: number; blocks: number; bsize: number }) => ({
  free: bavail * bsize,
  size: blocks * bsize,
})
