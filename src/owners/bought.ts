import { network } from '../core/chain-constants.ts'
import { isLasting, type Offer, pagePath } from '../offers/offer.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import type { Bought } from './library-schema.ts'

interface Deps {
  readonly db: LedgerDatabase
  readonly baseUrl: string
  readonly offers: readonly Offer[]
}

/** More than anybody buys by hand. */
const most = 1000

/** What a wallet bought on Base, for which it signed in, the newest first, and what is new of it. */
export async function findBought({ db, baseUrl, offers }: Deps, wallet: string): Promise<Bought[]> {
  const rows = await db
    .selectFrom('sale')
    .innerJoin('payment', 'payment.key', 'sale.payment_key')
    .select([
      'sale.id',
      'sale.offer_id',
      'sale.product',
      'sale.path',
      'sale.amount',
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
    .where('sale.network', '=', network)
    .where('sale.payer', '=', wallet)
    .orderBy('sale.settled_at', 'desc')
    .limit(most)
    .execute()
  const byId = new Map(offers.map((offer) => [offer.id, offer]))
  const owned = new Set(rows.map(({ offer_id, version }) => `${offer_id} ${version}`))
  return rows.map((row) => {
    const offer = byId.get(row.offer_id)
    const isStore = row.offer_id.startsWith('store/')
    // Of what has versions the same one has the same bytes; of what has none only the fetching tells.
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
}
