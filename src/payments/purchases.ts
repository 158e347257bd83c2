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
  /** Secret of this installation. */
  readonly secret: string
  readonly now: () => number
}

/** Where a stored purchase can be read, and until when. */
export interface Waiting {
  readonly uri: string
  readonly until: Date
}

/** A stored purchase, read by an address that only its buyer was given. */
interface Purchased {
  readonly body: Uint8Array
  readonly mimeType: string
}

/**
 * Makes and reads the addresses of purchases that are too long for a tool's message. An address holds the id of the
 * receipt and a token derived from it with a secret key, because buyers show their receipts to others. It is valid as
 * long as the product is kept, and reading it costs nothing.
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
    /**
     * @returns undefined when the bytes are gone, or are past their days of redelivery and may be dropped at any moment
     */
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
