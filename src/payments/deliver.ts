import { z } from 'zod'
import type { Ledger, PaymentRow } from './ledger.ts'
import type { Payment } from './payment.ts'
import type { Settled } from './payment-response.ts'
import type { ProductStore } from './product-store.ts'
import type { Receipt } from './receipt.ts'
import type { Receipts } from './receipts.ts'
import { isFromBuyer } from './redelivery-proof.ts'

export interface DeliverDeps {
  ledger: Ledger
  products: ProductStore
  receipts: Receipts
}

/**
 * Adds to a stored product what is known only after settlement, or must never be stored.
 *
 * @param isBuyer whether a secret may be added: the header of a settled payment can be rebuilt by anybody from the chain
 */
export type Complete = (body: Uint8Array, row: PaymentRow, isBuyer: boolean) => Promise<Uint8Array>

interface Delivery {
  row: PaymentRow
  payment: Payment
  complete: Complete | undefined
}

/** A product on its way to the buyer, with the proof of what it cost. */
export interface Delivered {
  body: Uint8Array
  mimeType: string
  /** That belong to the product, such as `X-Pack-Failed`. */
  headers: Readonly<Record<string, string>>
  settled: Settled
  receipt: Receipt | undefined
}

const headersSchema = z.record(z.string(), z.string())

/**
 * The stored product of a settled payment, byte for byte the same every time. Counted before it is sent: from the
 * second delivery on the buyer must show more than what is public on chain.
 */
export async function deliver(
  { ledger, products, receipts }: DeliverDeps,
  { row, payment, complete }: Delivery,
): Promise<Delivered> {
  const stored = await products.read({ body: row.body, file: row.body_file })
  const receipt = await receipts.findByPayment(row.key)
  const delivery = await ledger.countDelivery(row.key)
  const body = complete ? await complete(stored, row, isFromBuyer(row, payment, delivery)) : stored
  const { payer, amount } = row
  return {
    body,
    mimeType: row.mime_type ?? 'application/octet-stream',
    headers: headersSchema.parse(JSON.parse(row.headers ?? '{}')),
    settled: { payer, amount, transaction: row.transaction_hash ?? '' },
    receipt,
  }
}
