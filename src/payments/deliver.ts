import { z } from 'zod'
import type { Offer } from '../../functions/offer.ts'
import type { Ledger, PaymentRow } from './ledger.ts'
import type { Payment } from './payment.ts'
import { toPaymentResponse } from './payment-response.ts'
import type { ProductStore } from './product-store.ts'
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

export interface Delivery {
  row: PaymentRow
  payment: Payment
  offer: Offer
  complete: Complete | undefined
}

const headersSchema = z.record(z.string(), z.string())

/**
 * The stored product of a settled payment, byte for byte the same every time. Counted before it is sent: from the
 * second delivery on the buyer must show more than what is public on chain.
 */
export async function deliver(
  { ledger, products, receipts }: DeliverDeps,
  { row, payment, offer, complete }: Delivery,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  const stored = await products.read({ body: row.body, file: row.body_file })
  const receipt = await receipts.findByPayment(row.key)
  const delivery = await ledger.countDelivery(row.key)
  const body = complete ? await complete(stored, row, isFromBuyer(row, payment, delivery)) : stored
  const { payer, amount } = row
  return new Response(new Uint8Array(body), {
    headers: {
      ...headersSchema.parse(JSON.parse(row.headers ?? '{}')),
      ...more,
      'content-type': row.mime_type ?? 'application/octet-stream',
      'content-length': String(body.byteLength),
      'content-disposition': `inline; filename="${offer.fileName}"`,
      'cache-control': 'private, no-store',
      'payment-response': toPaymentResponse({ payer, amount, transaction: row.transaction_hash ?? '' }),
      ...(receipt && { 'x-receipt-id': receipt.id }),
    },
  })
}
