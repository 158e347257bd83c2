import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { isTestNetwork } from '../../core/networks.ts'
import type { RefundTable, SaleTable } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import type { ReceiptSigner, X402Receipt } from '../proof/receipt-signer.ts'
import type { Receipt } from './receipt-schema.ts'

/** `r_` and 128 random bits. */
export const newReceiptId = (): string => `r_${randomBytes(16).toString('hex')}`

/** What a sale proves to whoever holds its receipt. */
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
 * Receipts are the sales themselves, read by their unguessable id. They are signed where there is somebody to sign; the
 * receipt of x402 only while the payment stands, because it says that it was received.
 */
export function makeReceipts(db: LedgerDatabase, signer?: ReceiptSigner) {
  return {
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
    /** The payment that a receipt is of. */
    async findPaymentKey(id: string): Promise<string | undefined> {
      const sale = await db.selectFrom('sale').select('payment_key').where('id', '=', id).executeTakeFirst()
      return sale?.payment_key
    },
    async findByPayment(key: string): Promise<Receipt | undefined> {
      const {
        rows: [sale],
      } = await findSale(db, { key })
      return sale && toReceipt(sale)
    },
    /** What a buyer is given with the product. */
    toX402: (receipt: Receipt, offerId: string): X402Receipt | undefined => signer?.toX402(receipt, offerId),
  }
}

export type Receipts = ReturnType<typeof makeReceipts>
