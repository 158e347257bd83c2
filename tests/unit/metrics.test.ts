import { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import type { EndedRun } from '../../src/jobs/cron-health.ts'
import { cutOff } from '../../src/jobs/cut-off.ts'
import { makeCounter } from '../../src/metrics/counter.ts'
import { makeGauge, makeGauges } from '../../src/metrics/gauge.ts'
import { makeHistogram } from '../../src/metrics/histogram.ts'
import { makeLedgerMetrics, oldestSettling, openPayments, openSales } from '../../src/metrics/ledger-metrics.ts'
import { toMetricsText } from '../../src/metrics/metric.ts'
import { makeMetricsAnswer } from '../../src/metrics/metrics-answer.ts'
import { makePaymentMetrics } from '../../src/metrics/payment-metrics.ts'
import { makeSiteMetrics } from '../../src/site/site-metrics.ts'
import { readMetrics } from '../support/read-metrics.ts'
import { recordSale } from '../support/record-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

const planStep = z.object({ detail: z.string() })
const never = (error: unknown) => {
  throw error
}

describe('the metrics text', () => {
  it('follows the format exactly', async () => {
    const counter = makeCounter({ name: 'sales_total', help: 'Sales,\nby product: a\\b.' }, 'product')
    counter.add('plain')
    counter.add('plain', 2.5)
    counter.add('a "b"\\\n')
    const gauge = makeGauge({ name: 'height', help: 'A height.' }, async () => -3)
    const text = await toMetricsText([counter.metric, gauge], never)
    expect(text).toBe(
      [
        '# HELP sales_total Sales,\\nby product: a\\\\b.',
        '# TYPE sales_total counter',
        'sales_total{product="plain"} 3.5',
        'sales_total{product="a \\"b\\"\\\\\\n"} 1',
        '# HELP height A height.',
        '# TYPE height gauge',
        'height -3',
        '',
      ].join('\n'),
    )
    readMetrics(text)
  })

  it('has a histogram for each set of labels, with cumulative buckets', async () => {
    const took = makeHistogram<'operation'>({ name: 'took_seconds', help: 'Time.' })
    for (const seconds of [0.01, 0.02, 3, 100]) took.observe({ operation: 'settle' }, seconds)
    took.observe({ operation: 'verify' }, 0.2)
    const read = readMetrics(await toMetricsText([took.metric], never))
    const below = (le: string, operation = 'settle') => read.value('took_seconds_bucket', { operation, le })
    expect(['0.01', '0.025', '2.5', '5', '30', '+Inf'].map((le) => below(le))).toEqual([1, 2, 2, 3, 3, 4])
    expect(read.value('took_seconds_sum', { operation: 'settle' })).toBeCloseTo(103.03)
    expect([below('0.1', 'verify'), below('0.25', 'verify')]).toEqual([0, 1])
  })

  it('omits what cannot be read, and metrics without a value', async () => {
    const reported: unknown[] = []
    const broken = makeGauges({ name: 'broken', help: 'Broken.' }, 'state', () =>
      Promise.reject(new Error('no ledger')),
    )
    const absent = makeGauge({ name: 'absent', help: 'Absent.' }, () => undefined)
    const there = makeGauge({ name: 'there', help: 'There.' }, () => 1)
    const read = readMetrics(await toMetricsText([broken, absent, there], (error) => reported.push(error)))
    expect([...read.types.keys()]).toEqual(['there'])
    expect(reported).toEqual([new Error('no ledger')])
  })
})

describe('the metrics of the ledger', () => {
  it('count unfinished rows, without reading finished ones', async () => {
    const db = await openTestLedger()
    for (let number = 0; number < 5; number++)
      await recordSale(db, number, { path: '/a', amount: '1', settledAt: number })
    await db.updateTable('sale').set({ finality: 'claimed' }).where('id', 'in', ['r_1', 'r_2']).execute()
    await db.updateTable('sale').set({ finality: 'mined', reversed_at: 5 }).where('id', '=', 'r_3').execute()
    const oldest = 'farthing_oldest_settling_timestamp_seconds'
    const before = readMetrics(await toMetricsText(makeLedgerMetrics(db), never))
    expect(before.value(oldest)).toBeUndefined()
    const ended = { transaction_hash: null, body: Buffer.from('b') }
    for (const [key, created_at] of [
      ['k3', 90_000],
      ['k4', 60_000],
    ] as const)
      await db
        .updateTable('payment')
        .set({ ...ended, state: 'settling', created_at })
        .where('key', '=', key)
        .execute()
    const read = readMetrics(await toMetricsText(makeLedgerMetrics(db), never))
    expect(['working', 'ready', 'settling'].map((state) => read.value('farthing_payments', { state }))).toEqual([
      0, 0, 2,
    ])
    expect(read.value(oldest)).toBe(60)
    expect(['claimed', 'mined'].map((finality) => read.value('farthing_open_sales', { finality }))).toEqual([2, 0])
    await db.destroy()
  })

  it('use indexes that contain little else', async () => {
    const db = await openTestLedger()
    for (const [query, used] of [
      [openPayments(db), /^SEARCH payment USING INDEX payment_by_state \(state=\?\)$/],
      [oldestSettling(db), /^SEARCH payment USING INDEX payment_by_state \(state=\?\)$/],
      [openSales(db), /USING INDEX sale_not_final/],
    ] as const) {
      const { sql, parameters } = query.compile()
      const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
      expect(planStep.parse(rows[0]).detail).toMatch(used)
    }
    await db.destroy()
  })
})

describe('the payment counters', () => {
  /** An increase as Prometheus computes it: from one sample of a series to the next, undefined for a new series. */
  const increase = (before: number | undefined, after: number | undefined) =>
    before === undefined || after === undefined ? undefined : after - before

  it('exist at zero from the start, so that the first lost transfer and the first sale are an increase', async () => {
    const { meters, metrics } = makePaymentMetrics({ products: () => ['skill/first', 'skill/second'] })
    const look = async () => readMetrics(await toMetricsText(metrics, never))
    const before = await look()
    const about = { path: '/skills/first/raw', offerId: 'skill/first', amountMicroUsd: '100000' }
    meters.quoted('skill/first')
    for (const event of ['sale.settled', 'sale.reversed'] as const) meters.told({ event, ...about })
    const after = await look()
    const grown = (name: string, labels: Record<string, string>) =>
      increase(before.value(name, labels), after.value(name, labels))
    for (const [event, by] of [
      ['sale.reversed', 1],
      ['sale.settled', 1],
      ['sale.doubted', 0],
    ] as const)
      expect(grown('farthing_payment_events_total', { event }), event).toBe(by)
    expect(grown('farthing_sales_total', { product: 'skill/first' })).toBe(1)
    expect(grown('farthing_sales_micro_usd_total', { product: 'skill/first' })).toBe(100_000)
    expect(grown('farthing_quotes_total', { product: 'skill/first' })).toBe(1)
    expect(grown('farthing_sales_total', { product: 'skill/second' })).toBe(0)
  })
})

describe('the metrics of jobs', () => {
  const run = (job: string, state: EndedRun['state'], error: string | null = null): EndedRun => ({
    ...{ job, state, error, id: job, due_at: 0, origin: 'schedule', owner: 'o', lease_until: 0, fence: 1 },
    ...{ started_at: 0, finished_at: 60_000, result: null },
  })

  it('report a failed run, but not one that a restart interrupted and that resumes', async () => {
    const metrics = makeSiteMetrics({
      ...{ dataDir: '.', offers: () => [], slotsInUse: () => new Map(), underWay: () => 0, isSettling: () => true },
      ...{ findings: async () => [], waitingWebhooks: async () => 0, waitingEmails: async () => 0 },
      endedRuns: async () => [
        run('hourly-backup', 'succeeded'),
        run('retention', 'failed', 'Error: no room'),
        run('media-scan', 'failed', cutOff.stopped),
        { ...run('daily-backup', 'failed', cutOff.gone), good_at: 30_000 },
        run('weekly-backup', 'failed', cutOff.tooLong),
        { ...run('monthly-backup', 'failed', cutOff.stopped), failed_with: 'Error: no room' },
      ],
    })
    const read = readMetrics(await toMetricsText(metrics, never))
    const ok = (job: string) => read.value('farthing_job_ok', { job })
    expect([ok('hourly-backup'), ok('retention'), ok('media-scan'), ok('daily-backup')]).toEqual([
      1,
      0,
      undefined,
      undefined,
    ])
    expect(ok('weekly-backup')).toBe(0)
    // An interrupted retry does not clear the failure before it.
    expect(ok('monthly-backup')).toBe(0)
    const ended = (job: string) => read.value('farthing_job_ended_timestamp_seconds', { job })
    // The age of the newest backup is that of the last one that succeeded.
    expect([ended('media-scan'), ended('daily-backup')]).toEqual([60, 30])
  })
})

describe('the readers of metrics', () => {
  const answer = makeMetricsAnswer({ metrics: [], token: 'a-token-of-the-scraper', report: never })
  const statusFor = (peer: string, given: Record<string, string> = {}): Promise<number> =>
    answer({ peer, headers: new Headers({ host: 'localhost:4321', ...given }) }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Problem && error.kind === 'not-found' ? 404 : 500),
    )

  it.each(['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1'])('may be on this machine: %s', async (peer) => {
    expect(await statusFor(peer)).toBe(200)
  })

  it.each(['203.0.113.7', '10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1', '2001:db8::1', ''])(
    'exclude %s',
    async (peer) => {
      expect(await statusFor(peer)).toBe(404)
      expect(await statusFor(peer, { authorization: 'Bearer a-token-of-the-scraper' })).toBe(200)
    },
  )

  it.each(['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'X-Forwarded-Proto', 'origin'])(
    'exclude requests with the header %s',
    async (name) => {
      expect(await statusFor('127.0.0.1', { [name]: '127.0.0.1' })).toBe(404)
    },
  )

  it('need a token, and nobody has one if none is set', async () => {
    const open = makeMetricsAnswer({ metrics: [], token: undefined, report: never })
    for (const authorization of ['Bearer ', 'Bearer undefined', ''])
      await expect(open({ peer: '203.0.113.7', headers: new Headers({ authorization }) })).rejects.toThrow(Problem)
  })
})
