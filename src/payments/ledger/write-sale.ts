import type { Selectable, Transaction } from 'kysely'
import type { LedgerSchema, SaleTable } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { announce } from '../../webhooks/announce.ts'
import type { Paid } from '../chain/chain-oracle.ts'
import { applyGrants } from './grants.ts'
import type { InUnits, PaymentRow } from './payment-row.ts'
import { toReceipt } from './receipts.ts'
import { countSale } from './sale-totals.ts'

/** How a payment was seen to be settled: our RPC saw the transfer, or only the facilitator told of it. */
export type SeenTransfer = Paid | { transaction: string }

export interface WriteSaleDeps {
  now: () => number
  newReceiptId: () => string
}

/** Why a sale may not be one: our chain has not shown its transfer, or shows it no more. */
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

/** What is known of the transfer. */
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

/** How one sale gets into the books, within the transaction that settles its payment. */
export function makeWriteSale({ now, newReceiptId }: WriteSaleDeps) {
  /**
   * A transfer pays for one sale: another that names it was seen before the chain was reorganised, which gives logs other
   * numbers, and gets its new one when it is looked at again. One that is final stays, and the books refuse the second.
   */
  const takePlace = async (
    tx: Transaction<LedgerSchema>,
    { key, network }: Pick<Sold, 'key' | 'network'>,
    seen: SeenTransfer,
  ): Promise<void> => {
    if (!('logIndex' in seen)) return
    await makePlace(tx, { key, network, transaction: seen.transaction, logIndex: seen.logIndex })
  }

  /** Tells the operator's receiver of a sale in the transaction that changes it: of each change, and of nothing else. */
  const announceSale = (tx: Transaction<LedgerSchema>, sale: Selectable<SaleTable>, doubt?: Doubt): Promise<void> => {
    const data = { receipt: toReceipt(sale), offerId: sale.offer_id, ...(doubt && { doubt }) }
    return announce(tx, { type: doubt ? 'payment.doubted' : 'payment.settled', at: now(), data })
  }

  /** Writes a sale with what it grants; one that was taken back stands again, under its receipt. */
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
