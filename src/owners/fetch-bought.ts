import { z } from 'zod'
import { network } from '../core/chain-constants.ts'
import { checksum } from '../core/checksum.ts'
import { Problem } from '../core/problem.ts'
import { sha256 } from '../core/sha256.ts'
import { withDeadline } from '../core/with-deadline.ts'
import { asStream } from '../http/as-stream.ts'
import { isUnchanged } from '../http/conditional-request.ts'
import { fileNameAs } from '../offers/file-name.ts'
import { toFingerprint } from '../offers/fingerprint.ts'
import type { Make } from '../offers/make.ts'
import { isLasting, type Offer } from '../offers/offer.ts'
import { lostFingerprint } from '../payments/ledger/owed-purchases.ts'
import type { PaymentRow } from '../payments/ledger/payment-row.ts'
import type { ProductStore } from '../payments/ledger/product-store.ts'
import { buysSame } from '../payments/purchase/buys-same.ts'
import type { WorkSlots } from '../payments/purchase/work-slots.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

interface Deps {
  readonly db: LedgerDatabase
  readonly products: ProductStore
  readonly offers: readonly Offer[]
  readonly findMake: (offer: Offer) => Make | undefined
  readonly slots: WorkSlots
  readonly report: (error: unknown) => void
}

interface Wanted {
  readonly wallet: string
  readonly receiptId: string
  readonly signal: AbortSignal
  /** Value of `If-None-Match`: the tag of the bytes that the owner already has. */
  readonly noneMatch: string | null
}

const isAnother = 'You bought this, and it is not kept any more: what is sold under its name now is something else'

/**
 * Why the bytes are gone. A purchase with a query may still be made again by its request, which alone has the query.
 */
const whyGone = (offer: Offer, row: Pick<PaymentRow, 'fingerprint' | 'sent'>): string =>
  isLasting(offer) && !isWithoutQuery(offer, row) && row.fingerprint !== lostFingerprint
    ? `You bought this with a query, and it is not kept any more. Send that request again, ${offer.path} with the same query and with SIGN-IN-WITH-X of this wallet: where the same is still made of it, it is not charged`
    : isAnother

/** The validated input of a request without a query; undefined where a query is required. */
const readNoQuery = ({ input }: Offer): Record<string, unknown> | undefined => input.safeParse({}).data

/** Whether a purchase was made without a query, or with an input equal to that of a request without one today. */
function isWithoutQuery(offer: Offer, row: Pick<PaymentRow, 'fingerprint' | 'sent'>): boolean {
  const sent = toFingerprint(offer, {})
  const input = readNoQuery(offer)
  return buysSame(row, { sent, fingerprint: input ? toFingerprint(offer, input) : sent })
}

const headersSchema = z.record(z.string(), z.string())

/**
 * The response with the bytes that a wallet bought on Base under one of its receipts: the stored bytes, or bytes made
 * again if they are the same. It has the same `ETag` as the purchase, and is a 304 if `If-None-Match` names that.
 *
 * @throws Problem not-found when the wallet has no such sale; already-delivered when the bytes are gone and cannot be
 *   made again; busy when they cannot be read or made just now
 */
export async function fetchBought(
  { db, products, offers, findMake, slots, report }: Deps,
  { wallet, receiptId, signal, noneMatch }: Wanted,
): Promise<Response> {
  const row = await db
    .selectFrom('sale')
    .innerJoin('payment', 'payment.key', 'sale.payment_key')
    .selectAll('payment')
    .where('sale.id', '=', receiptId)
    .where('sale.network', '=', network)
    .where('sale.payer', '=', wallet)
    .where('sale.reversed_at', 'is', null)
    .where('payment.state', '=', 'settled')
    .executeTakeFirst()
  // Purchases of the game's store are only delivered by the game; they may contain the token of a player.
  if (!row || row.offer_id.startsWith('store/'))
    throw new Problem('not-found', { detail: 'This wallet has no such purchase' })
  const offer = offers.find(({ id }) => id === row.offer_id)
  const stored = { body: row.body, file: row.body_file }
  const isStored = stored.body !== null || stored.file !== null
  const body = isStored ? await products.read(stored).catch(fail) : await makeSame()
  if (!body) {
    throw new Problem('already-delivered', { charged: true, detail: offer ? whyGone(offer, row) : isAnother })
  }
  const etag = `"${checksum(body)}"`
  const always = { etag, 'cache-control': 'private, no-store', 'x-receipt-id': receiptId, 'x-charged': 'false' }
  if (isUnchanged({ noneMatch }, etag)) return new Response(null, { status: 304, headers: always })
  return new Response(asStream(body), {
    headers: {
      ...headersSchema.parse(JSON.parse(row.headers ?? '{}')),
      ...always,
      'content-type': row.mime_type ?? 'application/octet-stream',
      'content-length': String(body.byteLength),
      'content-disposition': `attachment; filename="${offer ? fileNameAs(offer, row.mime_type ?? '') : 'product'}"`,
    },
  })

  function fail(cause: unknown): never {
    if (!signal.aborted && !(cause instanceof Problem)) report(cause)
    throw busy(5)
  }

  async function makeSame(): Promise<Uint8Array | undefined> {
    const make = offer && isLasting(offer) ? findMake(offer) : undefined
    const input = offer && readNoQuery(offer)
    if (!offer || !make || !input || row === undefined) return undefined
    const { key } = row
    const leave = await slots.enter(offer.id, offer.concurrency)
    if (!leave) throw busy(3)
    try {
      const work = withDeadline(offer.workSeconds * 1000, signal, (until) => make(input, until, key))
      const product = await work.catch(fail)
      return sha256(product.body) === row.digest ? product.body : undefined
    } finally {
      leave()
    }
  }
}

const busy = (retryAfterSeconds: number): Problem =>
  new Problem('busy', {
    charged: true,
    retryAfterSeconds,
    detail: 'You have paid for this, and it cannot be read or made again just now',
  })
