import type { SaleFacts } from '../../core/log.ts'
import { base } from '../../core/networks.ts'
import type { RecordedSale } from '../ledger/ledger-sales.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'

type SaleEventName = 'sale.settled' | 'sale.failed' | 'sale.pending' | 'sale.doubted' | 'sale.reversed'

/** What the log and the metrics are told when a payment is settled, fails, stays pending, or is doubted or reversed. */
export interface SaleEvent extends SaleFacts {
  readonly event: SaleEventName
}

type Paid = Pick<PaymentRow, 'path' | 'offer_id' | 'amount' | 'units' | 'asset' | 'network'>
type More = Omit<SaleFacts, 'path' | 'offerId' | 'amountMicroUsd' | 'other' | 'network'>
type Ended = { is: 'settled'; sale: RecordedSale } | { is: 'failed'; reason: string }

/**
 * The event of a payment. The network is left out when it is Base; tokens other than USDC are named with their units.
 */
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

/** The event of a sale that was just recorded. */
export const toSoldEvent = (event: SaleEventName, { row, receipt }: RecordedSale, more: More = {}): SaleEvent =>
  toSaleEvent(event, row, { ...more, receiptId: receipt.id, transaction: receipt.transaction })

/** The event of a payment that is settled or has failed. */
export const toEndEvent = (row: Paid, ended: Ended, more: More = {}): SaleEvent =>
  ended.is === 'settled'
    ? toSoldEvent('sale.settled', ended.sale, more)
    : toSaleEvent('sale.failed', row, { ...more, reason: ended.reason })
