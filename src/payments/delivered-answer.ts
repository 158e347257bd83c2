import { createHash } from 'node:crypto'
import { isUnchanged } from '../http/conditional-request.ts'
import { exposedHeaders } from '../http/security-headers.ts'
import { fileNameAs } from '../offers/file-name.ts'
import type { Offer } from '../offers/offer.ts'
import type { Delivered } from './deliver.ts'
import { toPaymentResponse } from './wire/payment-response.ts'

/** A complete HTTP response as plain data. Header names are lower case. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** CORS headers of every paid route: pages of any origin may pay. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
} as const

/**
 * The product's own headers with lower-case names.
 *
 * @throws TypeError when a maker wrote one that HTTP does not allow
 */
const toOwn = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.keys(headers).length === 0 ? {} : Object.fromEntries(new Headers(headers))

/**
 * The response that delivers a product, with its receipt and digest. A repeated GET may be answered with 304 when
 * `If-None-Match` names the product's tag; a first delivery always carries the bytes, because they were just paid for.
 */
export function toDeliveredAnswer(
  delivered: Delivered,
  offer: Offer,
  { method, noneMatch }: { method: string; noneMatch: string | null },
): PlainAnswer {
  const { body, mimeType, headers, settled, receipt, signed, isAgain, isOwned } = delivered
  const digest = createHash('sha256').update(body).digest()
  const etag = `"${digest.toString('hex')}"`
  const proof = {
    ...corsHeaders,
    'access-control-expose-headers': [exposedHeaders, ...Object.keys(offer.headers ?? {})].join(', '),
    'cache-control': 'private, no-store',
    etag,
    'payment-response': toPaymentResponse(settled, signed),
    ...(receipt && { 'x-receipt-id': receipt.id }),
    ...(isOwned && { 'x-charged': 'false' }),
  }
  if (isAgain && method === 'GET' && isUnchanged({ noneMatch }, etag))
    return { status: 304, headers: proof, body: null }
  const whole = {
    ...toOwn(headers),
    ...proof,
    'content-type': mimeType,
    'content-length': String(body.byteLength),
    'content-disposition': `inline; filename="${fileNameAs(offer, mimeType)}"`,
    'repr-digest': `sha-256=:${digest.toString('base64')}:`,
  }
  return { status: 200, headers: whole, body }
}
