import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { isTestNetwork } from '../../core/networks.ts'
import type { RefundTable, SaleTable } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import type { ReceiptSigner, X402Receipt } from '../proof/receipt-signer.ts'
import type { Receipt } from './receipt-schema.ts'

/** A new receipt id: `r_` and 128 random bits in hexadecimal. */
export const newReceiptId = (): string => `r_${randomBytes(16).toString('hex')}`

/** The unsigned receipt of a sale. */
export const toReceipt = (sale: Selectable<SaleTable>): Receipt => ({
  id: sale.id,
  path: sale.path,
  product: sale.product,
  amountMicroUsd: sale.amount,
  ...(sale.units !== null && { amountUnits: sale.units }),
  asset: sale.asset,
  network: sale.network,
  ...(isTestNetwork(sale.network) && { testMoney: true as const }),
  payTo: sale.pay_to,
  payer: sale.payer,
  transaction: sale.transaction_hash,
  settledAt: new Date(sale.settled_at).toISOString(),
  ...(sale.sha256 !== null && { sha256: sale.sha256 }),
  ...(sale.reversed_at !== null && { reversedAt: new Date(sale.reversed_at).toISOString() }),
})

const toRefund = (refund: Selectable<RefundTable>, sale: Selectable<SaleTable>): NonNullable<Receipt['refund']> => ({
  ...(sale.units === null
    ? { amountMicroUsd: refund.amount }
    : { amountMicroUsd: sale.amount, amountUnits: refund.amount }),
  refundedAt: new Date(refund.refunded_at).toISOString(),
  ...(refund.transaction_hash !== null && { transaction: refund.transaction_hash }),
  ...(refund.note !== null && { note: refund.note }),
})

const findSale = prepare((db: LedgerDatabase, { key }: Places<{ key: string }>) =>
  db.selectFrom('sale').selectAll().where('payment_key', '=', key),
)

/**
 * Reads receipts, which are the sales themselves, by their unguessable id. They are signed if there is a signer. The
 * x402 receipt is only included while the sale is not reversed, because it states that the payment was received.
 */
export function makeReceipts(db: LedgerDatabase, signer?: ReceiptSigner) {
  return {
    /** The receipt with an id, with its refund and signatures; undefined when there is none. */
    async find(id: string): Promise<Receipt | undefined> {
      if (!/^r_[0-9a-f]{32}$/.test(id)) return undefined
      const sale = await db.selectFrom('sale').selectAll().where('id', '=', id).executeTakeFirst()
      if (!sale) return undefined
      const refund = await db.selectFrom('refund').selectAll().where('sale_id', '=', id).executeTakeFirst()
      const receipt = { ...toReceipt(sale), ...(refund && { refund: toRefund(refund, sale) }) }
      if (!signer) return receipt
      const document = signer.toDocument(receipt, sale.offer_id)
      const stands = sale.reversed_at === null
      const keys = signer.keysOf(sale.offer_id)
      return { ...receipt, signed: { document, keys, ...(stands && { x402: signer.toX402(receipt, sale.offer_id) }) } }
    },
    /** The key of the payment that a receipt belongs to. */
    async findPaymentKey(id: string): Promise<string | undefined> {
      const sale = await db.selectFrom('sale').select('payment_key').where('id', '=', id).executeTakeFirst()
      return sale?.payment_key
    },
    /** The receipt of a payment, without refund and signatures. */
    async findByPayment(key: string): Promise<Receipt | undefined> {
      const {
        rows: [sale],
      } = await findSale(db, { key })
      return sale && toReceipt(sale)
    },
    /** The signed x402 receipt that is delivered with the product; undefined without a signer. */
    toX402: (receipt: Receipt, offerId: string): X402Receipt | undefined => signer?.toX402(receipt, offerId),
  }
}

export type Receipts = ReturnType<typeof makeReceipts>
