import type { Expression, ExpressionBuilder, Transaction } from 'kysely'
import type { LedgerSchema } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { alone, isPostgres } from '../../storage/transact.ts'
import type { Claim, PaymentRow } from './payment-row.ts'
import { type Part, sameWish } from './same-wish.ts'

interface OwnedDeps {
  db: LedgerDatabase
  now: () => number
}

/** A product, as one wallet of one network asks for it. */
type Wish = Pick<Claim, 'network' | 'payer' | 'fingerprint' | 'sent'>

/** What a wallet has of a product. A sale that the chain took back is owned by nobody. */
interface Holding {
  /** Paid for, the newest first. Their bytes may be gone; what they were is known by their digest. */
  readonly owned: readonly PaymentRow[]
  /** Whether another payment for it may be about to move money. */
  readonly isSettling: boolean
}

/**
 * Of several payments of one wallet for the same bytes one may begin to settle: asked within the write that begins it,
 * so that of any number, in whichever processes, exactly one does.
 */
export const isAlone =
  (digest: string | Expression<string | null>) =>
  ({ not, exists, selectFrom }: ExpressionBuilder<LedgerSchema, 'payment'>) =>
    not(
      exists(
        selectFrom('payment as other')
          .select('other.key')
          .whereRef('other.network', '=', 'payment.network')
          .whereRef('other.payer', '=', 'payment.payer')
          .whereRef('other.fingerprint', '=', 'payment.fingerprint')
          .whereRef('other.key', '!=', 'payment.key')
          .where(({ or, and, eb }) =>
            or([
              eb('other.state', '=', 'settling'),
              and([eb('other.state', '=', 'settled'), eb('other.digest', '=', digest)]),
            ]),
          ),
      ),
    )

/** Until the transaction ends, `isAlone` of a payment is for no other one of the same wallet for the same thing to change. */
export async function holdWish(tx: Transaction<LedgerSchema>, key: string): Promise<void> {
  if (!isPostgres<LedgerSchema>(tx)) return
  const payment = tx.selectFrom('payment').select(['network', 'payer', 'fingerprint']).where('key', '=', key)
  const wish = await payment.executeTakeFirst()
  if (wish) await alone(tx, 'wish', wish.network, wish.payer, wish.fingerprint)
}

interface Others extends Omit<Wish, 'sent'> {
  sent: string
  key: string
}

const findOthers = prepare((db: LedgerDatabase, { network, payer, fingerprint, sent, key }: Places<Others>) => {
  const others = (part: Part) =>
    db
      .selectFrom('payment')
      .selectAll()
      .where('network', '=', network)
      .where('payer', '=', payer)
      .where(part)
      .where('key', '!=', key)
      .where('state', 'in', ['settling', 'settled'])
  const [input, words, former] = sameWish({ fingerprint, sent })
  return others(input).unionAll(others(words)).unionAll(others(former)).orderBy('settled_at', 'desc')
})

/** What wallets bought for good, and the proofs by which they have it again. */
export function makeOwnedPurchases({ db, now }: OwnedDeps) {
  return {
    /** @param key of the payment that asks, which is none of the others */
    async findHolding({ network, payer, fingerprint, sent }: Wish, key: string): Promise<Holding> {
      const { rows } = await findOthers(db, { network, payer, fingerprint, sent: sent ?? fingerprint, key })
      return {
        owned: rows.filter(({ state, digest }) => state === 'settled' && digest !== null),
        isSettling: rows.some(({ state }) => state === 'settling'),
      }
    },

    /** From now on this authorization fetches what the wallet owns, and is never settled. */
    async keepOwnerProof(
      { key, authorization }: Pick<Claim, 'key' | 'authorization'>,
      owned: Pick<PaymentRow, 'key'>,
      changedTo: string | null,
    ): Promise<void> {
      const proof = { authorization, payment_key: owned.key, changed_to: changedTo, at: now() }
      await db
        .insertInto('wallet_proof')
        .values({ key, ...proof })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(proof))
        .execute()
    },

    /** Whether the owner was told before that time, for another authorization, that what it owns is this now. */
    async wasTold(
      owned: readonly Pick<PaymentRow, 'key'>[],
      { authorization }: Pick<Claim, 'authorization'>,
      digest: string,
      before: number,
    ): Promise<boolean> {
      const keys = owned.map(({ key }) => key)
      const told = await db
        .selectFrom('wallet_proof')
        .select('key')
        .where('payment_key', 'in', keys)
        .where('changed_to', '=', digest)
        .where('authorization', '!=', authorization)
        .where('at', '<', before)
        .executeTakeFirst()
      return told !== undefined
    },

    /** A product that waited unpaid under an authorization that turned out to be an owner's. */
    async dropUnpaid({ key, fence }: Pick<PaymentRow, 'key' | 'fence'>): Promise<void> {
      const mine = db.deleteFrom('payment').where('key', '=', key).where('fence', '=', fence)
      await mine.where('state', '=', 'ready').execute()
    },
  }
}
