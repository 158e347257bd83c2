import { setImmediate as nextTurn } from 'node:timers/promises'
import { toCsvLine } from '../core/csv-line.ts'
import { testNetworks } from '../core/networks.ts'
import { toUtcDate } from '../core/utc-date.ts'
import { paidUnits } from '../payments/ledger/payment-row.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Rows per query. Other requests run between two queries, so that they wait for one at most. */
const rowsAtOnce = 500

/** A range of whole UTC days, in ms since 1970. */
export interface DateRange {
  readonly fromMs: number
  /** Exclusive: the end of the last day. */
  readonly toMs: number
}

/**
 * Parses a range of two UTC dates such as `2026-01-31`, the last one included. Without `from` it begins with this year,
 * without `to` it ends today.
 *
 * @throws RangeError of one sentence when a date is not valid, or the last one is before the first
 */
export function readDateRange(from: string | undefined, to: string | undefined, now: number): DateRange {
  const toDay = (text: string): number => {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(at) || toUtcDate(at) !== text) throw new RangeError(`${text} is not a date such as 2026-01-31`)
    return at
  }
  const fromMs = toDay(from || `${toUtcDate(now).slice(0, 4)}-01-01`)
  const toMs = toDay(to || toUtcDate(now)) + dayMs
  if (toMs <= fromMs) throw new RangeError('the last day lies before the first')
  return { fromMs, toMs }
}

/** One line of the CSV. Amounts are signed atomic units, so that their sum is the net income. */
interface Entry {
  readonly at: number
  readonly id: string
  readonly kind: 'sale' | 'reversal' | 'refund'
  readonly product: string
  readonly path: string
  readonly amount: string
  readonly asset: string
  readonly network: string
  readonly transaction: string
  readonly payer: string
  readonly pay_to: string
  readonly note: string
}

const columns = [
  ...['time_utc', 'kind', 'product', 'path', 'amount_atomic', 'asset', 'network', 'transaction', 'payer', 'pay_to'],
  ...['receipt', 'note'],
]

const toCells = (entry: Entry): string[] => [
  ...[new Date(entry.at).toISOString(), entry.kind, entry.product, entry.path, entry.amount, entry.asset],
  ...[entry.network, entry.transaction, entry.payer, entry.pay_to, entry.id, entry.note],
]

/** Sales by their time, read in batches, so that a year of them is never in memory at once. */
async function* readSoldEntries(db: LedgerDatabase, { fromMs, toMs }: DateRange): AsyncGenerator<Entry> {
  let after = { at: fromMs, id: '' }
  for (;;) {
    const { at, id } = after
    const rows = await db
      .selectFrom('sale')
      .selectAll()
      .where('network', 'not in', testNetworks)
      .where('settled_at', '>=', at)
      .where('settled_at', '<', toMs)
      .where((where) => where.or([where('settled_at', '>', at), where('id', '>', id)]))
      .orderBy('settled_at')
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    for (const row of rows)
      yield {
        ...{
          at: row.settled_at,
          id: row.id,
          kind: 'sale',
          product: row.product,
          path: row.path,
          amount: String(paidUnits(row)),
        },
        ...{ asset: row.asset, network: row.network, transaction: row.transaction_hash, payer: row.payer },
        ...{ pay_to: row.pay_to, note: '' },
      }
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = { at: last.settled_at, id: last.id }
    await nextTurn()
  }
}

/** Sales whose transfer the chain lost, dated by when that was noticed. */
async function* readReversals(db: LedgerDatabase, { fromMs, toMs }: DateRange): AsyncGenerator<Entry> {
  const rows = await db
    .selectFrom('sale')
    .selectAll()
    .where('network', 'not in', testNetworks)
    .where('reversed_at', 'is not', null)
    .execute()
  const within = rows.flatMap((row) =>
    row.reversed_at !== null && row.reversed_at >= fromMs && row.reversed_at < toMs
      ? [{ row, at: row.reversed_at }]
      : [],
  )
  within.sort((a, b) => a.at - b.at)
  for (const { row, at } of within)
    yield {
      ...{ at, id: row.id, kind: 'reversal', product: row.product, path: row.path, amount: `-${paidUnits(row)}` },
      ...{ asset: row.asset, network: row.network, transaction: row.transaction_hash, payer: row.payer },
      ...{ pay_to: row.pay_to, note: 'the chain has lost the transfer' },
    }
}

async function* readRefunds(db: LedgerDatabase, { fromMs, toMs }: DateRange): AsyncGenerator<Entry> {
  const rows = await db
    .selectFrom('refund')
    .innerJoin('sale', 'sale.id', 'refund.sale_id')
    .selectAll('refund')
    .select(['sale.product', 'sale.path', 'sale.pay_to'])
    .where('refund.network', 'not in', testNetworks)
    .where('refunded_at', '>=', fromMs)
    .where('refunded_at', '<', toMs)
    .orderBy('refunded_at')
    .execute()
  for (const row of rows)
    yield {
      ...{ at: row.refunded_at, id: row.sale_id, kind: 'refund', product: row.product, path: row.path },
      ...{ amount: `-${row.amount}`, asset: row.asset, network: row.network, payer: row.payer },
      ...{ transaction: row.transaction_hash ?? '', pay_to: row.pay_to, note: row.note ?? '' },
    }
}

/** Merges the entries of several sources by time; each source is already in the order of time. */
async function* inOrder(sources: readonly AsyncGenerator<Entry>[]): AsyncGenerator<Entry> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, next: await source.next() })))
  for (;;) {
    const [first] = heads
      .flatMap((head) => (head.next.done === true ? [] : [{ head, entry: head.next.value }]))
      .sort((a, b) => a.entry.at - b.entry.at)
    if (!first) return
    yield first.entry
    first.head.next = await first.head.source.next()
  }
}

/**
 * The income of some days as CSV for the tax office (RFC 4180), line by line: one line for each sale, each reversed
 * sale, and each refund, the oldest first. Test networks are left out. Times are UTC; amounts are atomic units of the
 * asset, negative for reversals and refunds.
 */
export async function* writeTaxCsv(db: LedgerDatabase, range: DateRange): AsyncGenerator<string> {
  yield toCsvLine(columns)
  const entries = inOrder([readSoldEntries(db, range), readReversals(db, range), readRefunds(db, range)])
  for await (const entry of entries) yield toCsvLine(toCells(entry))
}
