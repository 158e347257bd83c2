import { network } from '../../src/core/chain-constants.ts'
import { toUsdNumber } from '../../src/core/money.ts'
import { advertisedPrice } from '../../src/offers/offer.ts'
import type { Wallet } from '../../src/payments/wire/requirements.ts'
import { allTime, storeOffers } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readCupForEntries } from './cup-for-entries.ts'
import { storeProducts } from './products.ts'

/** `0x1234…abcd`: enough to recognise a wallet. */
const abbreviate = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** The store's settled sales so far. */
async function readRevenue(db: LedgerDatabase): Promise<{ totalPurchases: number; totalUsd: number }> {
  const totals = await db
    .selectFrom('sale_total')
    .select(['count', 'micros'])
    .where('day', '=', allTime)
    .where('offer_id', 'like', storeOffers)
    .execute()
  const others = await db
    .selectFrom('sale_total_other')
    .select('count')
    .where('day', '=', allTime)
    .where('offer_id', 'like', storeOffers)
    .execute()
  return {
    totalPurchases: [...totals, ...others].reduce((sum, { count }) => sum + count, 0),
    totalUsd: toUsdNumber(totals.reduce((sum, { micros }) => sum + BigInt(micros), 0n)),
  }
}

/** The body of `GET /api/store`. */
export async function showStore({ db, wallet, now }: { db: LedgerDatabase; wallet: Wallet; now: () => number }) {
  const cup = await readCupForEntries(db, now())
  return {
    name: 'Undercroft store',
    policy: 'cosmetics_and_tips_only',
    pay_to_win: false,
    payment: 'x402',
    network,
    asset: wallet.asset,
    assetName: 'USDC',
    configured: true,
    revenue: {
      products: storeProducts.length,
      configured: true,
      payTo: abbreviate(wallet.payTo),
      ...(await readRevenue(db)),
    },
    products: storeProducts.map(({ sku, name, description, kind, grants, creditPrice, offer }) => {
      const price = advertisedPrice(offer)
      return {
        sku,
        name,
        description,
        priceUsd: toUsdNumber(price),
        amountAtomic: price.toString(),
        kind,
        grants,
        creditPrice,
        // Beyond the contract: which cup an entry counts for, and until when.
        ...(kind === 'tournament' && { cup }),
      }
    }),
  }
}
