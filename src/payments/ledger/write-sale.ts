import type { Selectable, Transaction } from 'kysely'
import type { LedgerSchema, SaleTable } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { announce } from '../../webhooks/announce.ts'
import type { Paid } from '../chain/witness.ts'
import { applyGrants } from './grants.ts'
import type { InUnits, PaymentRow } from './payment-row.ts'
import { toReceipt } from './receipts.ts'
import { countSale } from './sale-totals.ts'

/** The transfer of a payment: seen by our RPC (`Paid`), or only reported by the facilitator. */
export type SeenTransfer = Paid | { transaction: string }

export interface WriteSaleDeps {
  now: () => number
  newReceiptId: () => string
}

/** Why a sale is doubtful: our RPC has not seen its transfer yet, or does not show it any more. */
type Doubt = 'not-seen' | 'reversed'

type Sold = InUnits &
  Pick<
    PaymentRow,
    | 'key'
    | 'offer_id'
    | 'product'
    | 'path'
    | 'amount'
    | 'asset'
    | 'network'
    | 'pay_to'
    | 'payer'
    | 'grants'
    | 'body_sha256'
  >

const toSale = ({
  key,
  offer_id,
  product,
  path,
  amount,
  units,
  asset,
  network,
  pay_to,
  payer,
  grants,
  body_sha256,
}: Sold) => ({
  payment_key: key,
  offer_id,
  product,
  path,
  amount,
  units: units ?? null,
  asset,
  network,
  pay_to,
  payer,
  grants,
  sha256: body_sha256,
})

/** The columns of a sale that describe its transfer. */
export const toFacts = (settled: SeenTransfer) => ({
  transaction_hash: settled.transaction,
  log_index: 'logIndex' in settled ? settled.logIndex : null,
  block: 'logIndex' in settled ? settled.block : null,
  finality: 'logIndex' in settled ? ('mined' as const) : ('claimed' as const),
})

interface Transfer {
  key: string
  network: string
  transaction: string
  logIndex: number
}

const makePlace = prepare((db: LedgerDatabase, { key, network, transaction, logIndex }: Places<Transfer>) =>
  db
    .updateTable('sale')
    .set({ log_index: null })
    .where('network', '=', network)
    .where('transaction_hash', '=', transaction)
    .where('log_index', '=', logIndex)
    .where('payment_key', '<>', key)
    .where('finality', '<>', 'final'),
)

const findReversal = prepare((db: LedgerDatabase, { key }: Places<{ key: string }>) =>
  db.selectFrom('sale').select('reversed_at').where('payment_key', '=', key),
)

type NewSale = ReturnType<typeof toSale> & ReturnType<typeof toFacts> & Pick<Selectable<SaleTable>, 'id' | 'settled_at'>

const insertSale = prepare((db: LedgerDatabase, sale: Places<NewSale>) =>
  db
    .insertInto('sale')
    .values({
      payment_key: sale.payment_key,
      offer_id: sale.offer_id,
      product: sale.product,
      path: sale.path,
      amount: sale.amount,
      units: sale.units,
      asset: sale.asset,
      network: sale.network,
      pay_to: sale.pay_to,
      payer: sale.payer,
      grants: sale.grants,
      sha256: sale.sha256,
      id: sale.id,
      settled_at: sale.settled_at,
      transaction_hash: sale.transaction_hash,
      log_index: sale.log_index,
      block: sale.block,
      finality: sale.finality,
    })
    .returningAll(),
)

/** Writes sales within the transaction that settles their payment. */
export function makeWriteSale({ now, newReceiptId }: WriteSaleDeps) {
  /**
   * Clears the log index of another sale that names the same transfer, because a transfer pays for one sale only. That
   * sale was seen before a reorganisation changed the log indexes, and gets its new index when it is checked again. A
   * final sale keeps its index, so that the unique index of the table refuses the second sale.
   */
  const takePlace = async (
    tx: Transaction<LedgerSchema>,
    { key, network }: Pick<Sold, 'key' | 'network'>,
    seen: SeenTransfer,
  ): Promise<void> => {
    if (!('logIndex' in seen)) return
    await makePlace(tx, { key, network, transaction: seen.transaction, logIndex: seen.logIndex })
  }

  /** Announces a sale to the operator's receivers, in the transaction that changes it: once for each change. */
  const announceSale = (tx: Transaction<LedgerSchema>, sale: Selectable<SaleTable>, doubt?: Doubt): Promise<void> => {
    const data = { receipt: toReceipt(sale), offerId: sale.offer_id, ...(doubt && { doubt }) }
    return announce(tx, { type: doubt ? 'payment.doubted' : 'payment.settled', at: now(), data })
  }

  /** Writes a sale with its grants. A reversed sale of the same payment becomes valid again, under the same receipt. */
  const writeSale = async (tx: Transaction<LedgerSchema>, row: Sold, seen: SeenTransfer, at: number) => {
    await takePlace(tx, row, seen)
    const facts = toFacts(seen)
    const {
      rows: [old],
    } = await findReversal(tx, { key: row.key })
    const doubt = 'logIndex' in seen ? undefined : 'not-seen'
    if (old) {
      const again = await tx
        .updateTable('sale')
        .set({ ...facts, reversed_at: null })
        .where('payment_key', '=', row.key)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (old.reversed_at !== null) await countSale(tx, again, 1n)
      await announceSale(tx, again, doubt)
      return again
    }
    const sale = { ...toSale(row), id: newReceiptId(), settled_at: at, ...facts }
    const {
      rows: [written],
    } = await insertSale(tx, sale)
    if (!written) throw new Error('the sale was not written')
    await countSale(tx, written, 1n)
    if (row.grants !== null) await applyGrants(tx, row.grants, at)
    await announceSale(tx, written, doubt)
    return written
  }

  return { takePlace, announceSale, writeSale }
}
