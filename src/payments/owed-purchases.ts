import { isGone } from '../lease-owner.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { applyGrants } from './grants.ts'
import { type Lease, LeaseLost, leaseMs } from './lease.ts'
import type { Claim, PaymentRow } from './payment-row.ts'
import type { Product } from './product.ts'
import type { ProductStore } from './product-store.ts'
import { proofWindowMs } from './redelivery-proof.ts'

export interface OwedDeps {
  db: LedgerDatabase
  products: ProductStore
  owner: string
  now: () => number
}

/** Stands for the request of a sale that was written back from the chain: what it bought is not known. */
export const lostFingerprint = 'lost'

/** Another process may be about to send its answer for this long. */
const answerMs = 15_000

/** What a wallet asks for. */
export type OwedWish = Pick<Claim, 'payer' | 'fingerprint' | 'identifier_hash' | 'offer_id' | 'path' | 'amount'>

/**
 * Purchases that their buyer paid for and may not have: whoever proves to be the wallet that paid, with a fresh
 * signature over an unused nonce, gets them for nothing.
 */
export function makeOwedPurchases({ db, products, owner, now }: OwedDeps) {
  return {
    /**
     * The purchase that a wallet that asks for this is owed: bought under the same `payment-identifier`; paid and never
     * delivered; asked for once more without proof a short while ago; or lost with the ledger.
     *
     * @param isLeaving whether this process is just now sending the product of this payment
     */
    async findOwed(wish: OwedWish, isLeaving: (key: string) => boolean): Promise<PaymentRow | undefined> {
      const { payer, fingerprint, identifier_hash: identifier, offer_id, path, amount } = wish
      const rows = await db
        .selectFrom('payment')
        .selectAll()
        .where('payer', '=', payer)
        .where('fingerprint', 'in', [fingerprint, lostFingerprint])
        .where('state', '=', 'settled')
        .where((where) =>
          where.or([
            where('deliveries', '=', 0),
            where('asked_again_at', '>', now() - proofWindowMs),
            ...(identifier === null ? [] : [where('identifier_hash', '=', identifier)]),
          ]),
        )
        .orderBy('settled_at')
        .execute()
      const mayBeOnItsWay = (row: PaymentRow): boolean =>
        isLeaving(row.key) || (row.owner !== owner && !isGone(row.owner) && (row.settled_at ?? 0) > now() - answerMs)
      return rows.find((row) => {
        if (identifier !== null && row.identifier_hash === identifier) return isStored(row)
        if (row.fingerprint === lostFingerprint)
          return (row.offer_id === offer_id && row.path === path) || BigInt(row.amount) >= BigInt(amount)
        return isStored(row) && !mayBeOnItsWay(row)
      })
    },

    /**
     * Somebody who proved nothing asked for a purchase again: a fresh signature of its wallet proves it for a while. Not
     * for one that has a token: its buyer shows that.
     */
    async noteAsked(key: string): Promise<void> {
      await db
        .updateTable('payment')
        .set({ asked_again_at: now() })
        .where('key', '=', key)
        .where('token_hash', 'is', null)
        .execute()
    },

    /** From now on this authorization fetches that purchase, and is never settled; the next one is a payment again. */
    async keepProof(shown: Pick<Claim, 'key' | 'authorization'>, paymentKey: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('wallet_proof')
          .values({ ...shown, payment_key: paymentKey, at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        await tx.updateTable('payment').set({ asked_again_at: null }).where('key', '=', paymentKey).execute()
      })
    },

    /** The authorization as it was shown, with the purchase that it fetches. */
    async findProof(key: string): Promise<{ authorization: string; row: PaymentRow } | undefined> {
      const proof = await db.selectFrom('wallet_proof').selectAll().where('key', '=', key).executeTakeFirst()
      if (!proof) return undefined
      const row = await db.selectFrom('payment').selectAll().where('key', '=', proof.payment_key).executeTakeFirst()
      return row && { authorization: proof.authorization, row }
    },

    /** Takes a lost purchase, to make its product again; undefined while another does. */
    async takeLost(row: PaymentRow): Promise<Lease | undefined> {
      if (row.lease_until > now() && !isGone(row.owner)) return undefined
      const fence = row.fence + 1
      const taken = await db
        .updateTable('payment')
        .set({ owner, fence, lease_until: now() + leaseMs })
        .where('key', '=', row.key)
        .where('fence', '=', row.fence)
        .where('fingerprint', '=', lostFingerprint)
        .executeTakeFirst()
      return taken.numUpdatedRows === 1n ? { key: row.key, fence } : undefined
    },

    /** A lost purchase has its product again, and from now on is what it bought. */
    async fillLost(
      lease: Lease,
      bought: Pick<Claim, 'fingerprint' | 'offer_id' | 'product' | 'path' | 'token_hash' | 'identifier_hash'>,
      made: Product,
    ): Promise<void> {
      const stored = await products.keep(made.body)
      await db.transaction().execute(async (tx) => {
        const filled = await tx
          .updateTable('payment')
          .set({
            ...bought,
            mime_type: made.mimeType,
            headers: JSON.stringify(made.headers ?? {}),
            body: stored.body,
            body_file: stored.file,
            body_bytes: made.body.byteLength,
            grants: made.grants ?? null,
            lease_until: 0,
          })
          .where('key', '=', lease.key)
          .where('fence', '=', lease.fence)
          .where('fingerprint', '=', lostFingerprint)
          .executeTakeFirst()
        if (filled.numUpdatedRows !== 1n) throw new LeaseLost(lease.key)
        const { offer_id, product, path } = bought
        await tx
          .updateTable('sale')
          .set({ offer_id, product, path, grants: made.grants ?? null })
          .where('payment_key', '=', lease.key)
          .execute()
        if (made.grants !== undefined) await applyGrants(tx, made.grants, now())
      })
    },

    /** Gives a lost purchase back when its product could not be made. */
    async letGoLost(lease: Lease): Promise<void> {
      const row = db.updateTable('payment').set({ lease_until: 0 }).where('key', '=', lease.key)
      await row.where('fence', '=', lease.fence).execute()
    },
  }
}

const isStored = ({ body, body_file }: PaymentRow): boolean => body !== null || body_file !== null
