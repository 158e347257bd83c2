import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentRow } from './ledger/payment-row.ts'
import type { ProductStore } from './ledger/product-store.ts'
import type { Receipts } from './ledger/receipts.ts'
import { redeliveryDays } from './ledger/redelivery-proof.ts'

const dayMs = 24 * 60 * 60 * 1000

interface Options {
  readonly ledger: Pick<Ledger, 'find'>
  readonly products: Pick<ProductStore, 'read'>
  readonly receipts: Pick<Receipts, 'findPaymentKey'>
  /** Of this installation. */
  readonly secret: string
  readonly now: () => number
}

/** Where what was bought waits. */
export interface Waiting {
  readonly uri: string
  readonly until: Date
}

/** What was bought, read again by an address that only its buyer was told. */
interface Purchased {
  readonly body: Uint8Array
  readonly mimeType: string
}

/**
 * Addresses of purchases that are too long for a message: the receipt, and a token that nobody can make from it,
 * because receipts are shown around. They are good for as long as the product is kept, and cost nothing.
 */
export function makePurchases({ ledger, products, receipts, secret, now }: Options) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'addresses of purchases', 32))
  const tokenOf = (receiptId: string): string =>
    createHmac('sha256', key).update(receiptId).digest('base64url').slice(0, 32)
  /** The row of a purchase whose bytes are stored. */
  const findStored = async (receiptId: string): Promise<PaymentRow | undefined> => {
    const paymentKey = await receipts.findPaymentKey(receiptId)
    const row = paymentKey === undefined ? undefined : await ledger.find(paymentKey)
    return row?.state === 'settled' && (row.body !== null || row.body_file !== null) ? row : undefined
  }

  return {
    /** @returns undefined when it is not kept any more, or may be dropped at any moment: owners ask long after that */
    async find(receiptId: string, fileName: string): Promise<Waiting | undefined> {
      const row = await findStored(receiptId)
      const until = (row?.settled_at ?? 0) + redeliveryDays * dayMs
      if (until <= now()) return undefined
      const uri = `purchase:///${receiptId}/${tokenOf(receiptId)}/${encodeURIComponent(fileName)}`
      return { uri, until: new Date(until) }
    },
    /** @returns undefined when there is no such purchase, or when it is not kept any more */
    async read(uri: string): Promise<Purchased | undefined> {
      const [, receiptId = '', token = ''] = /^purchase:\/\/\/(r_[0-9a-f]{32})\/([\w-]{32})\/[^/]*$/.exec(uri) ?? []
      if (receiptId === '' || !timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(receiptId)))) return undefined
      const row = await findStored(receiptId)
      if (!row) return undefined
      const body = await products.read({ body: row.body, file: row.body_file })
      return { body, mimeType: row.mime_type ?? 'application/octet-stream' }
    },
  }
}
