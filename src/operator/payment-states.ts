import type { Selectable } from 'kysely'
import { isTestNetwork } from '../core/networks.ts'
import type { SaleTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** How many payments are listed at most. Nobody looks through more by hand; the count says how many there are. */
export const listedPayments = 100

/** Explanation and advice for the operator about payments that are not simply settled, by state. */
export const nextSteps = {
  ready:
    'The product was made, but the buyer left before paying. Nothing was charged. The same request with the same signature settles it until validBefore; then it is deleted.',
  settling:
    'The chain is asked again every few minutes. It becomes a sale when the transfer is found, and is discarded once the transfer can no longer happen.',
  doubted:
    'It was delivered on the word of the facilitator; your RPC has not seen the transfer yet. The job `reconcile` checks again: run it, and if the sale stays doubted, check whether the RPC is behind.',
  reversed:
    'The chain has lost the transfer. It is sent again while the signature is valid. If that fails, the product was given away, and there is nothing to refund.',
} as const

/** A payment whose product is made and whose settlement is not known. */
export interface OpenPayment {
  readonly state: 'ready' | 'settling'
  readonly product: string
  readonly path: string
  /** Micro-USD. */
  readonly amount: string
  readonly payer: string
  /** Whether it is on a test network. */
  readonly isTest: boolean
  /** Milliseconds. */
  readonly createdAt: number
  /** Unix seconds. */
  readonly validBefore: number
}

/** Open payments, with their number in all and by state, which may exceed the list. */
interface OpenPayments {
  readonly count: number
  readonly counts: Readonly<Record<OpenPayment['state'], number>>
  readonly payments: readonly OpenPayment[]
}

/**
 * Reads open payments, the oldest first, at most `listedPayments` of each state: strangers can leave any number of
 * products unpaid at no cost, and these must not push payments that are being settled off the list.
 */
export async function readOpenPayments(db: LedgerDatabase): Promise<OpenPayments> {
  const [settling, ready] = await Promise.all([readOpen(db, 'settling'), readOpen(db, 'ready')])
  return {
    count: settling.count + ready.count,
    counts: { settling: settling.count, ready: ready.count },
    payments: [...settling.payments, ...ready.payments].toSorted((a, b) => a.createdAt - b.createdAt),
  }
}

async function readOpen(db: LedgerDatabase, state: OpenPayment['state']) {
  const query = db.selectFrom('payment').where('state', '=', state)
  const [rows, { count }] = await Promise.all([
    query
      .select(['offer_id', 'path', 'amount', 'network', 'payer', 'valid_before', 'created_at'])
      .orderBy('created_at')
      .limit(listedPayments)
      .execute(),
    query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  const payments = rows.map(
    ({ offer_id, path, amount, network, payer, valid_before, created_at }): OpenPayment => ({
      ...{ state, product: offer_id, path, amount, payer },
      ...{ isTest: isTestNetwork(network), createdAt: created_at, validBefore: valid_before },
    }),
  )
  return { count: Number(count), payments }
}

/** A sale as the operator sees it. */
export interface ShownSale {
  readonly receipt: string
  readonly product: string
  readonly path: string
  /** Micro-USD. */
  readonly amount: string
  readonly payer: string
  readonly transaction: string
  /** Milliseconds. */
  readonly settledAt: number
  /** Whether it was paid on a test network. */
  readonly isTest: boolean
  /** Whether it was refunded. */
  readonly isRefunded: boolean
}

type Row = Selectable<SaleTable> & { readonly refunded_at: number | null }

const toShown = (row: Row): ShownSale => ({
  receipt: row.id,
  product: row.offer_id,
  path: row.path,
  amount: row.amount,
  payer: row.payer,
  transaction: row.transaction_hash,
  settledAt: row.settled_at,
  isTest: isTestNetwork(row.network),
  isRefunded: row.refunded_at !== null,
})

const selectSales = (db: LedgerDatabase) =>
  db.selectFrom('sale').leftJoin('refund', 'refund.sale_id', 'sale.id').selectAll('sale').select('refund.refunded_at')

/** Sales whose transfer only a facilitator has reported, the oldest first. */
export const readDoubtedSales = async (db: LedgerDatabase): Promise<readonly ShownSale[]> =>
  (
    await selectSales(db)
      .where('finality', '<>', 'final')
      .where('finality', '=', 'claimed')
      .where('reversed_at', 'is', null)
      .orderBy('settled_at')
      .limit(listedPayments)
      .execute()
  ).map(toShown)

/** Sales whose transfer the chain has lost, the newest first. */
export const readReversedSales = async (db: LedgerDatabase): Promise<readonly ShownSale[]> =>
  (
    await selectSales(db)
      .where('reversed_at', 'is not', null)
      .orderBy('settled_at', 'desc')
      .limit(listedPayments)
      .execute()
  ).map(toShown)

/** The newest sales. */
export const readNewestSales = async (db: LedgerDatabase, limit: number): Promise<readonly ShownSale[]> =>
  (await selectSales(db).where('reversed_at', 'is', null).orderBy('settled_at', 'desc').limit(limit).execute()).map(
    toShown,
  )
