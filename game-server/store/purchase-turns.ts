import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import { readGrants } from '../../src/payments/ledger/grants.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import type { StoreProduct } from './products.ts'

/** Keeps other hosts of the database from something while `work` goes on; undefined where one of them has it. */
export type Claim = <Result>(name: string, work: () => Promise<Result>) => Promise<Result | undefined>

/**
 * Keeps one player's product from being paid twice: of several payments for it one is worked on, and whoever signed another
 * meanwhile is asked to come back with it. Copies of the same payment go on together at one host; at another one a copy is
 * asked to come back, too.
 *
 * @param claim where several hosts sell
 */
export function makePurchaseTurns(db: LedgerDatabase, claim: Claim = (_, work) => work()) {
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

  /** Another payment for the same, in the same words, of which the money cannot have moved yet. */
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
     * Asked by a payment that is worked on, for a host that stood still may have lost its turn to another. Of two that ask
     * at once both may be sent away, and never none: each was written down before it asked. One that is worked on comes to settle, and then to
     * be owned; they are looked for in this order, so that it is seen wherever it has come to.
     *
     * @throws Problem payment-in-progress while another payment for the same thing is under way, or when one has bought it
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
