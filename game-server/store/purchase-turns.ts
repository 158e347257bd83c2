import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import { readGrants } from '../../src/payments/ledger/grants.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import type { StoreProduct } from './products.ts'

/**
 * Keeps one player's product from being paid twice: of several payments for it one is worked on, and whoever signed
 * another meanwhile is asked to come back with it. Copies of the same payment go on together.
 */
export function makePurchaseTurns(db: LedgerDatabase) {
  const holders = new Map<string, { paymentKey: string; copies: number }>()

  /** Another payment whose money may have moved already, here or in an earlier life of this program. */
  const isSettlingAnother = async ({ offer }: StoreProduct, player: string, paymentKey: string): Promise<boolean> => {
    const rows = await db
      .selectFrom('payment')
      .select('grants')
      .where('state', '=', 'settling')
      .where('offer_id', '=', offer.id)
      .where('key', '!=', paymentKey)
      .execute()
    return rows.some(({ grants }) => grants !== null && toPlayerKey(readGrants(grants).player) === toPlayerKey(player))
  }

  return {
    /** @throws Problem payment-in-progress while another payment for the same thing is under way */
    async take<Result>(
      product: StoreProduct,
      player: string,
      paymentKey: string,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const turn = `${product.sku} ${toPlayerKey(player)}`
      const holder = holders.get(turn) ?? { paymentKey, copies: 0 }
      if (holder.paymentKey !== paymentKey) throw inProgress()
      holder.copies++
      holders.set(turn, holder)
      try {
        if (await isSettlingAnother(product, player, paymentKey)) throw inProgress()
        return await work()
      } finally {
        holder.copies--
        if (holder.copies === 0) holders.delete(turn)
      }
    },
  }
}

const inProgress = (): Problem =>
  new Problem('payment-in-progress', {
    charged: false,
    retryAfterSeconds: 2,
    detail:
      'Another payment for the same product and player is in progress. Send this one again after the time in Retry-After; if the other one succeeds, this one is not charged',
  })
