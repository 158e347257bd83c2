import { network } from '../core/chain-constants.ts'
import { Problem } from '../core/problem.ts'
import { isLasting, type Offer, pagePath } from '../offers/offer.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { Bought } from './library-schema.ts'

interface Deps {
  readonly db: LedgerDatabase
  readonly baseUrl: string
  readonly offers: readonly Offer[]
}

interface Wanted {
  readonly wallet: string
  /** The largest number of purchases to return. */
  readonly most: number
  /** Id of a receipt of the wallet: only purchases before that one are listed. */
  readonly before?: string | undefined
}

const soldTo = (db: LedgerDatabase, wallet: string) =>
  db.selectFrom('sale').where('sale.network', '=', network).where('sale.payer', '=', wallet)

/** Whether a receipt is of a purchase by this wallet on Base. */
export const isReceiptOf = async (db: LedgerDatabase, wallet: string, id: string): Promise<boolean> =>
  (await soldTo(db, wallet).select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/**
 * Lists what a wallet bought on Base, the newest first, with newer versions that are sold now, and whether there is
 * more. Only Base, because a sign-in proves the wallet there.
 *
 * @throws Problem invalid-input when `before` is not a receipt of the wallet
 */
export async function findBought(
  { db, baseUrl, offers }: Deps,
  { wallet, most, before }: Wanted,
): Promise<{ purchases: Bought[]; hasMore: boolean }> {
  const own = soldTo(db, wallet)
  const last =
    before === undefined
      ? undefined
      : await own.select(['id', 'settled_at']).where('id', '=', before).executeTakeFirst()
  if (before !== undefined && !last)
    throw new Problem('invalid-input', {
      errors: [{ parameter: 'before', detail: 'must be a receiptId of this wallet' }],
    })
  const versions = await own
    .innerJoin('payment', 'payment.key', 'sale.payment_key')
    .select(['sale.offer_id', 'payment.version'])
    .where('payment.version', 'is not', null)
    .where('sale.reversed_at', 'is', null)
    .distinct()
    .execute()
  const owned = new Set(versions.map(({ offer_id, version }) => `${offer_id} ${version}`))
  const rows = await own
    .innerJoin('payment', 'payment.key', 'sale.payment_key')
    .select([
      'sale.id',
      'sale.offer_id',
      'sale.product',
      'sale.path',
      'sale.amount',
      'sale.units',
      'sale.asset',
      'sale.settled_at',
      'sale.transaction_hash',
      'sale.reversed_at',
      'payment.version',
      'payment.digest',
      'payment.state',
    ])
    .select(({ eb, or }) =>
      or([eb('payment.body', 'is not', null), eb('payment.body_file', 'is not', null)]).as('kept'),
    )
    .$if(last !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where('sale.settled_at', '<', last?.settled_at ?? 0),
          where.and([where('sale.settled_at', '=', last?.settled_at ?? 0), where('sale.id', '<', last?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('sale.settled_at', 'desc')
    .orderBy('sale.id', 'desc')
    .limit(most + 1)
    .execute()
  const byId = new Map(offers.map((offer) => [offer.id, offer]))
  const purchases = rows.slice(0, most).map((row): Bought => {
    const offer = byId.get(row.offer_id)
    const isStore = row.offer_id.startsWith('store/')
    // For a product with versions, the same version means the same bytes; without versions, only fetching can tell.
    const isSold =
      offer !== undefined && isLasting(offer) && row.digest !== null && row.version === (offer.version ?? null)
    const mayFetch = row.reversed_at === null && row.state === 'settled' && !isStore && (Boolean(row.kept) || isSold)
    const isNews = offer?.version !== undefined && !owned.has(`${offer.id} ${offer.version}`)
    return {
      receiptId: row.id,
      receipt: `${baseUrl}/api/receipts/${row.id}.json`,
      product: row.product,
      path: row.path,
      ...(row.version !== null && { version: row.version }),
      amountMicroUsd: row.amount,
      ...(row.units !== null && { asset: row.asset, amountUnits: row.units }),
      boughtAt: new Date(row.settled_at).toISOString(),
      transaction: row.transaction_hash,
      ...(row.reversed_at !== null && { reversedAt: new Date(row.reversed_at).toISOString() }),
      ...(mayFetch && { download: `${baseUrl}/api/library/${row.id}` }),
      ...(isNews &&
        offer.version !== undefined && {
          latest: {
            version: offer.version,
            ...(offer.changes !== undefined && { changes: offer.changes }),
            page: baseUrl + pagePath(offer),
          },
        }),
    }
  })
  return { purchases, hasMore: rows.length > most }
}
