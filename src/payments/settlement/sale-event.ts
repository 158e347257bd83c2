import type { SaleFacts } from '../../core/log.ts'
import { base } from '../../core/networks.ts'
import type { RecordedSale } from '../ledger/ledger-sales.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'

type SaleEventName = 'sale.settled' | 'sale.failed' | 'sale.pending' | 'sale.doubted' | 'sale.reversed'

/** What an operator wants to see of a payment. */
export interface SaleEvent extends SaleFacts {
  readonly event: SaleEventName
}

type Paid = Pick<PaymentRow, 'path' | 'offer_id' | 'amount' | 'units' | 'asset' | 'network'>
type More = Omit<SaleFacts, 'path' | 'offerId' | 'amountMicroUsd' | 'other' | 'network'>
type Ended = { is: 'settled'; sale: RecordedSale } | { is: 'failed'; reason: string }

export const toSaleEvent = (
  event: SaleEventName,
  { path, offer_id, amount, units, asset, network }: Paid,
  more: More,
): SaleEvent => ({
  event,
  path,
  offerId: offer_id,
  amountMicroUsd: amount,
  ...(units !== null && { other: { asset, units } }),
  ...(network !== base.id && { network }),
  ...more,
})

/** What is told of a sale that was recorded. */
export const toSoldEvent = (event: SaleEventName, { row, receipt }: RecordedSale, more: More = {}): SaleEvent =>
  toSaleEvent(event, row, { ...more, receiptId: receipt.id, transaction: receipt.transaction })

/** What is told of a payment whose end is known. */
export const toEndEvent = (row: Paid, ended: Ended, more: More = {}): SaleEvent =>
  ended.is === 'settled'
    ? toSoldEvent('sale.settled', ended.sale, more)
    : toSaleEvent('sale.failed', row, { ...more, reason: ended.reason })
