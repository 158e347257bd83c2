import { createHash } from 'node:crypto'
import { sha256 } from '../../core/sha256.ts'
import type { Product } from '../../offers/product.ts'
import type { PaymentRow } from './payment-row.ts'
import type { ProductStore } from './product-store.ts'

/** The columns of a payment that hold its product. */
export type KeptProduct = Pick<
  PaymentRow,
  'mime_type' | 'headers' | 'body' | 'body_file' | 'body_bytes' | 'body_sha256' | 'grants'
> & {
  digest: string
}

/** Stores a product durably and returns the columns for its row. */
export async function keepProduct(products: ProductStore, product: Product): Promise<KeptProduct> {
  const stored = await products.keep(product.body)
  return {
    mime_type: product.mimeType,
    headers: JSON.stringify(product.headers ?? {}),
    body: stored.body,
    body_file: stored.file,
    body_bytes: product.body.byteLength,
    // A product with grants is delivered with a token that is never stored, so the delivered bytes are different ones.
    body_sha256: product.grants === undefined ? createHash('sha256').update(product.body).digest('hex') : null,
    digest: sha256(product.body),
    grants: product.grants ?? null,
  }
}
