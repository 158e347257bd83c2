import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { symbolOf } from '../core/assets.ts'
import { toLogText } from '../core/log.ts'
import { toDisplay } from '../core/money.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { listedPayments, nextSteps, readOpenPayments } from '../operator/payment-states.ts'
import { readSales } from '../operator/sales-report.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { OperatorTool } from './operator-access.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly jobs: Pick<Jobs, 'names' | 'run'>
  readonly now: () => number
  /** How long a call waits for a job, in milliseconds. */
  readonly patienceMs?: number
}

const toMoney = (micros: bigint) => ({ amountMicroUsd: String(micros), display: toDisplay(micros) })
/** The time is capped, because a signature may be valid for longer than a `Date` can represent. */
const toDateText = (seconds: number): string => new Date(Math.min(seconds * 1000, 8.64e15)).toISOString()
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The operator's tools. None of them shows a key, a token or a signature, or moves money. */
export const makeOperatorTools = ({ db, jobs, now, patienceMs = 45_000 }: Options): OperatorTool[] => [
  salesReport(db, now),
  listUnsettled(db, now),
  runJob(jobs, patienceMs),
]

const reportInput = z.object({
  days: z.int().min(1).max(3650).default(30).describe('How many UTC days, today among them'),
})

const salesReport = (db: LedgerDatabase, now: () => number): OperatorTool => ({
  name: 'sales_report',
  title: 'Read what was sold, in total and by product',
  description:
    'Settled sales of the last days: how many, and what they brought in, in total and by product, the largest first. Your own purchases count, too. `reversed` are those whose transfer the chain has lost since: they are not among the sales. What was paid in other tokens than USDC is in `inOtherTokens` alone.',
  inputSchema: reportInput,
  annotations: reads,
  async run(input) {
    const { days } = reportInput.parse(input)
    const report = await readSales(db, { days, now: now() })
    return {
      days,
      since: new Date(report.sinceMs).toISOString(),
      sales: report.total.sales,
      reversed: { sales: report.reversed.count, ...toMoney(report.reversed.micros) },
      ...toMoney(report.total.micros),
      ...(report.others.length > 0 && {
        inOtherTokens: report.others.map(({ asset, sales, units }) => ({
          asset,
          symbol: symbolOf(asset),
          sales,
          amountUnits: String(units),
        })),
      }),
      products: report.products.flatMap(({ product, sales, micros }) =>
        sales > 0 ? [{ product, sales, ...toMoney(micros) }] : [],
      ),
    }
  },
})

const listUnsettled = (db: LedgerDatabase, now: () => number): OperatorTool => ({
  name: 'list_unsettled',
  title: 'See payments that are not settled yet',
  description: `Payments whose product is made and whose money has not arrived, the oldest first, at most ${listedPayments} of each state, with what happens next.`,
  inputSchema: z.object({}),
  annotations: reads,
  async run() {
    const { count, payments } = await readOpenPayments(db)
    return {
      count,
      payments: payments.map(({ state, product, path, amount, isTest, payer, createdAt, validBefore }) => ({
        state,
        product,
        path,
        ...toMoney(BigInt(amount)),
        ...(isTest && { testMoney: true }),
        payer,
        ageSeconds: Math.floor((now() - createdAt) / 1000),
        validBefore: toDateText(validBefore),
        next: nextSteps[state],
      })),
    }
  },
})

const runJob = (jobs: Options['jobs'], patienceMs: number): OperatorTool => {
  const inputSchema = z.object({ name: z.enum([...jobs.names]).describe('Which job') })
  return {
    name: 'run_job',
    title: 'Run the site’s jobs, such as backups',
    description:
      'Runs one job now and says what became of it, or that it is still running: then `/api/cron-health.json` tells how it ends. A job that is running already is not run twice.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(input) {
      const { name } = inputSchema.parse(input)
      const outcome = await Promise.race([jobs.run(name), delay(patienceMs, undefined, { ref: false })])
      if (outcome === undefined) return { name, outcome: 'running' }
      switch (outcome.is) {
        case 'ran':
          return { name, outcome: outcome.is, result: outcome.result }
        case 'failed':
          return { name, outcome: outcome.is, error: toLogText(outcome.error) }
        case 'busy':
        case 'stopped':
        case 'lost':
          return { name, outcome: outcome.is }
      }
    },
  }
}
