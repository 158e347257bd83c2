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
 * Adds to a stored product what is known only after settlement, or must never be stored. Only the buyer gets it:
 * whoever shows no more than what is on the chain is not delivered to.
 */
export type Complete = (body: Uint8Array, row: PaymentRow) => Promise<Uint8Array>

export interface Delivery {
  row: PaymentRow
  /** Looked up where it is not at hand. */
  receipt?: Receipt
  complete: Complete | undefined
  /** The payment that came with this request. */
  paymentKey: string
}

/** A product on its way to the buyer, with the proof of what it cost. */
export interface Delivered {
  body: Uint8Array
  mimeType: string
  /** That belong to the product, such as `X-Pack-Failed`. */
  headers: Readonly<Record<string, string>>
  settled: Settled
  receipt: Receipt | undefined
  /** The same signed, as x402 wants it. */
  signed: X402Receipt | undefined
  /** Whether it was delivered before. */
  isAgain: boolean
  /** Whether it was bought before, by another payment: the one that came now only proved the wallet. */
  isOwned: boolean
}

const headersSchema = z.record(z.string(), z.string())

/**
 * The stored product of a settled payment, byte for byte the same every time. Counted before it is sent.
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
    // The transaction that paid for it, whenever that was: without one, clients take an answer for an unpaid one.
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
