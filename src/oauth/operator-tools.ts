import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { toLogText } from '../core/log.ts'
import { toDisplay } from '../core/money.ts'
import { toUtcDate } from '../core/utc-date.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { allTime } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { OperatorTool } from './operator-access.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly jobs: Pick<Jobs, 'names' | 'run'>
  readonly now: () => number
  /** How long a caller is kept waiting for a job. */
  readonly patienceMs?: number
}

const dayMs = 24 * 60 * 60 * 1000
const listed = 100

const toMoney = (micros: bigint) => ({ amountMicroUsd: String(micros), display: toDisplay(micros) })
const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n)
/** A buyer may sign for longer than dates reach. */
const toDateText = (seconds: number): string => new Date(Math.min(seconds * 1000, 8.64e15)).toISOString()
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** What the operator may ask of the site from afar. Nothing here shows a key, a token or a signature, or moves money. */
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
    'Settled sales of the last days: how many, and what they brought in, in total and by product, the largest first. Your own purchases count, too. `reversed` are those whose transfer the chain has lost since: they are not among the sales.',
  inputSchema: reportInput,
  annotations: reads,
  async run(input) {
    const { days } = reportInput.parse(input)
    const since = toUtcDate(now() - (days - 1) * dayMs)
    const totals = await db
      .selectFrom('sale_total')
      .select(({ fn }) => [
        'offer_id as product',
        fn.sum<number>('count').as('sales'),
        fn.sum<number>('micros').as('micros'),
      ])
      .where('day', '>=', since)
      .where('day', '<>', allTime)
      .groupBy('offer_id')
      .execute()
    const reversed = await db
      .selectFrom('sale')
      .select('amount')
      .where('settled_at', '>=', Date.parse(since))
      .where('reversed_at', 'is not', null)
      .execute()
    const products = totals.flatMap(({ product, sales, micros }) =>
      sales > 0 ? [{ product, sales, micros: BigInt(micros) }] : [],
    )
    products.sort((a, b) => (a.micros === b.micros ? b.sales - a.sales : a.micros > b.micros ? -1 : 1))
    return {
      days,
      since: new Date(since).toISOString(),
      sales: products.reduce((count, { sales }) => count + sales, 0),
      reversed: { sales: reversed.length, ...toMoney(sum(reversed.map(({ amount }) => amount))) },
      ...toMoney(sum(products.map(({ micros }) => String(micros)))),
      products: products.map(({ micros, ...product }) => ({ ...product, ...toMoney(micros) })),
    }
  },
})

const nextSteps = {
  ready:
    'It was made, and the buyer was gone before paying. Nothing is charged. The same request with the same signature settles it until validBefore; then it is dropped.',
  settling:
    'The chain is asked again every few minutes. It becomes a sale when the transfer is found, and is dropped when the transfer cannot happen any more.',
}

const listUnsettled = (db: LedgerDatabase, now: () => number): OperatorTool => ({
  name: 'list_unsettled',
  title: 'See payments that are not settled yet',
  description: `Payments whose product is made and whose money has not arrived, the oldest first, at most ${listed}, with what happens next.`,
  inputSchema: z.object({}),
  annotations: reads,
  async run() {
    const query = db.selectFrom('payment').where('state', 'in', ['ready', 'settling'])
    const rows = await query
      .select(['state', 'offer_id', 'path', 'amount', 'payer', 'valid_before', 'created_at'])
      .orderBy('created_at')
      .limit(listed)
      .execute()
    const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    return {
      count,
      payments: rows.flatMap(({ state, offer_id: product, path, amount, payer, valid_before, created_at }) =>
        state === 'ready' || state === 'settling'
          ? [
              {
                state,
                product,
                path,
                ...toMoney(BigInt(amount)),
                payer,
                ageSeconds: Math.floor((now() - created_at) / 1000),
                validBefore: toDateText(valid_before),
                next: nextSteps[state],
              },
            ]
          : [],
      ),
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
