import { z } from 'zod'
import type { Ledger } from './ledger/ledger.ts'
import { type PaymentRow, paidUnits } from './ledger/payment-row.ts'
import type { ProductStore } from './ledger/product-store.ts'
import type { Receipt } from './ledger/receipt-schema.ts'
import type { Receipts } from './ledger/receipts.ts'
import type { X402Receipt } from './proof/receipt-signer.ts'
import type { Settled } from './wire/payment-response.ts'

export interface DeliverDeps {
  ledger: Ledger
  products: ProductStore
  receipts: Receipts
}

/**
 * Adds to a stored product what is known only after settlement, or must never be stored, such as a secret token. Only
 * the buyer gets it: a request that shows no more than what is on the chain is not delivered to.
 */
export type Complete = (body: Uint8Array, row: PaymentRow) => Promise<Uint8Array>

export interface Delivery {
  row: PaymentRow
  /** Looked up by the payment when absent. */
  receipt?: Receipt
  complete: Complete | undefined
  /** Key of the payment that came with this request; the row may be of an earlier payment. */
  paymentKey: string
}

/** A product ready to be sent to the buyer, with proof of the payment. */
export interface Delivered {
  body: Uint8Array
  mimeType: string
  /** Headers that belong to the product, such as `X-Pack-Failed`. */
  headers: Readonly<Record<string, string>>
  settled: Settled
  receipt: Receipt | undefined
  /** The signed receipt of the x402 offer-receipt extension; undefined where receipts are not signed. */
  signed: X402Receipt | undefined
  /** Whether it was delivered before. */
  isAgain: boolean
  /** Whether an earlier payment bought it: the payment of this request only proved the wallet and is not charged. */
  isOwned: boolean
}

const headersSchema = z.record(z.string(), z.string())

/**
 * Reads the stored product of a settled payment and counts the delivery before anything is sent. The stored bytes are
 * the same every time.
 *
 * @throws when the stored bytes are gone or damaged
 */
export async function deliver(
  { ledger, products, receipts }: DeliverDeps,
  { row, complete, paymentKey, ...sale }: Delivery,
): Promise<Delivered> {
  const stored = await products.read({ body: row.body, file: row.body_file })
  const receipt = sale.receipt ?? (await receipts.findByPayment(row.key))
  await ledger.countDelivery(row)
  const body = complete ? await complete(stored, row) : stored
  const { payer, network } = row
  const isOwned = row.key !== paymentKey
  return {
    body,
    mimeType: row.mime_type ?? 'application/octet-stream',
    headers: headersSchema.parse(JSON.parse(row.headers ?? '{}')),
    // The transaction that paid for it, even long ago: clients take a response without one for unpaid.
    settled: {
      network,
      payer,
      amount: isOwned ? '0' : String(paidUnits(row)),
      transaction: row.transaction_hash ?? '',
    },
    receipt,
    signed: receipt && receipts.toX402(receipt, row.offer_id),
    isAgain: row.deliveries > 0,
    isOwned,
  }
}
