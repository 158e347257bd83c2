import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import { readGrants } from '../../src/payments/ledger/grants.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import type { StoreProduct } from './products.ts'

/** Runs `work` under a lock across hosts; resolves to undefined when another host holds the lock. */
export type Claim = <Result>(name: string, work: () => Promise<Result>) => Promise<Result | undefined>

/**
 * Keeps a player's product from being paid for twice: of several payments for it only one is worked on, and the others
 * are asked to retry. Copies of the same payment are worked on together at one host; a copy at another host is asked
 * to retry, too.
 *
 * @param claim the lock across hosts, where several share the database
 */
export function makePurchaseTurns(db: LedgerDatabase, claim: Claim = (_, work) => work()) {
  const holders = new Map<string, { paymentKey: string; copies: number }>()

  /** Whether another payment for the product and player is settling, so that its money may have moved already. */
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

  /** Whether another payment for an identical request is being worked on; its money cannot have moved yet. */
  const isAnotherWorkedOn = async (paymentKey: string): Promise<boolean> => {
    const another = await db
      .selectFrom('payment as own')
      .innerJoin('payment as other', 'other.fingerprint', 'own.fingerprint')
      .select('other.key')
      .where('own.key', '=', paymentKey)
      .where('other.key', '!=', paymentKey)
      .where('other.state', '=', 'working')
      .executeTakeFirst()
    return another !== undefined
  }

  return {
    /**
     * Called by a payment while it is worked on, because a host that was suspended may have lost the lock. Of two calls
     * at once both may fail, but never neither: each payment is in the ledger before its call. A payment goes from
     * `working` to `settling` to owned, and the checks run in this order, so that none is missed on the way.
     *
     * @throws Problem payment-in-progress while another payment for the same is under way, or when one has bought it
     */
    async assertAlone(
      product: StoreProduct,
      player: string,
      paymentKey: string,
      isOwned: () => Promise<boolean>,
    ): Promise<void> {
      const isTaken =
        (await isAnotherWorkedOn(paymentKey)) ||
        (await isSettlingAnother(product, player, paymentKey)) ||
        (await isOwned())
      if (isTaken) throw inProgress()
    },

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
        const done = await claim(`purchase of ${turn}`, async () => {
          if (await isSettlingAnother(product, player, paymentKey)) throw inProgress()
          return { result: await work() }
        })
        if (!done) throw inProgress()
        return done.result
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
