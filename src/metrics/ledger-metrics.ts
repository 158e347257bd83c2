import { testNetworks } from '../core/networks.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { makeGauge, makeGauges } from './gauge.ts'
import type { Metric } from './metric.ts'

const openStates = ['working', 'ready', 'settling'] as const
const openFinalities = ['claimed', 'mined', 'safe'] as const

/** Number of payments in each state that is not final. */
export const openPayments = (db: LedgerDatabase) =>
  db
    .selectFrom('payment')
    .select(({ fn }) => ['state as name', fn.countAll<number>().as('count')])
    .where('state', 'in', openStates)
    .where('network', 'not in', testNetworks)
    .groupBy('state')

/** When the oldest payment was begun that is being settled. A busy shop always has some. */
export const oldestSettling = (db: LedgerDatabase) =>
  db
    .selectFrom('payment')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where('state', '=', 'settling')
    .where('network', 'not in', testNetworks)

/** Number of sales whose transfer the chain may still lose, by finality. */
export const openSales = (db: LedgerDatabase) =>
  db
    .selectFrom('sale')
    .select(({ fn }) => ['finality as name', fn.countAll<number>().as('count')])
    .where('finality', '<>', 'final')
    .where('reversed_at', 'is', null)
    .where('network', 'not in', testNetworks)
    .groupBy('finality')

/**
 * Numbers of unfinished payments and sales in the ledger, which small partial indexes find. Finished payments may
 * become millions, and counting them reads them all: they are counted as events, in `farthing_payment_events_total`.
 */
export const makeLedgerMetrics = (db: LedgerDatabase): readonly Metric[] => [
  makeGauges(
    { name: 'farthing_payments', help: 'Payments that are not settled and have not failed, by state.' },
    'state',
    async () => inAll(openStates, await openPayments(db).execute()),
  ),
  makeGauge(
    {
      name: 'farthing_oldest_settling_timestamp_seconds',
      help: 'When the oldest payment was begun whose money is on its way; absent while there is none.',
    },
    async () => {
      const row = await oldestSettling(db).executeTakeFirst()
      return row?.at ? Number(row.at) / 1000 : undefined
    },
  ),
  makeGauges(
    { name: 'farthing_open_sales', help: 'Sales whose transfer the chain may still lose, by how sure it is.' },
    'finality',
    async () => inAll(openFinalities, await openSales(db).execute()),
  ),
]

/** A name without rows gets the value 0, and is not left out. */
const inAll = (names: readonly string[], rows: readonly { name: string; count: number }[]): [string, number][] =>
  names.map((name) => [name, Number(rows.find((row) => row.name === name)?.count ?? 0)])
