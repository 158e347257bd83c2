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

/** A wallet on one network and the product that it asks for. */
type Wish = Pick<Claim, 'network' | 'payer' | 'fingerprint' | 'sent'>

/** What a wallet owns of a product. Reversed sales are not owned. */
interface Holding {
  /** Settled purchases, the newest first. Their bytes may be gone, but their digest is kept. */
  readonly owned: readonly PaymentRow[]
  /** Whether another payment for it may be about to move money. */
  readonly isSettling: boolean
}

/**
 * The condition that no other payment of the wallet for the same request is settling, and none has settled for the same
 * bytes. It is part of the write that begins a settlement, so that of several payments, in whichever processes, only
 * one begins.
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

/**
 * Locks the wallet and request of a payment until the transaction ends, so that no other settlement for the same begins
 * between the check of `isAlone` and the commit. Does nothing on SQLite, where only one transaction writes at a time.
 */
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

/** Lasting purchases that wallets own, and the proofs by which they fetch them again. */
export function makeOwnedPurchases({ db, now }: OwnedDeps) {
  return {
    /**
     * What the wallet owns of a product.
     *
     * @param key of the payment of this request, which is left out
     */
    async findHolding({ network, payer, fingerprint, sent }: Wish, key: string): Promise<Holding> {
      const { rows } = await findOthers(db, { network, payer, fingerprint, sent: sent ?? fingerprint, key })
      return {
        owned: rows.filter(({ state, digest }) => state === 'settled' && digest !== null),
        isSettling: rows.some(({ state }) => state === 'settling'),
      }
    },

    /**
     * Records an authorization as an owner's proof: from now on it is never settled.
     *
     * @param changedTo digest of the product now, where it has changed since and nothing was fetched; otherwise null
     */
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

    /** Whether the owner was told before a time, for another authorization, that the product has this digest now. */
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

    /** Deletes a product that waits unpaid, because its authorization pays for nothing: the wallet owns the product. */
    async dropUnpaid({ key, fence }: Pick<PaymentRow, 'key' | 'fence'>): Promise<void> {
      const mine = db.deleteFrom('payment').where('key', '=', key).where('fence', '=', fence)
      await mine.where('state', '=', 'ready').execute()
    },
  }
}
