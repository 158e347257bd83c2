import { sql } from 'kysely'
import type { Product } from '../../offers/product.ts'
import { leaseClock } from '../../storage/lease-clock.ts'
import { isGone } from '../../storage/lease-owner.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { alone, transact } from '../../storage/transact.ts'
import { applyGrants } from './grants.ts'
import { keepProduct } from './keep-product.ts'
import { type Lease, LeaseLost, leaseMs } from './lease.ts'
import type { Claim, PaymentRow } from './payment-row.ts'
import type { ProductStore } from './product-store.ts'
import { proofWindowMs } from './redelivery-proof.ts'
import { countSale } from './sale-totals.ts'
import { type Part, sameWish } from './same-wish.ts'

export interface OwedDeps {
  db: LedgerDatabase
  products: ProductStore
  owner: string
  now: () => number
}

/** The fingerprint of a sale that was written back from the chain (a lost purchase): what it bought is not known. */
export const lostFingerprint = 'lost'

/** An authorization that proved its wallet before. */
export interface Proof {
  /** Canonical JSON. */
  authorization: string
  /** The purchase that it fetches. */
  row: PaymentRow
  /** Whether it fetched nothing, because the wallet was told that the product it owns has changed since. */
  isChanged: boolean
}

/** What a wallet asks for, as far as it identifies an owed purchase. */
export type OwedWish = Pick<Claim, 'network' | 'payer' | 'fingerprint' | 'sent' | 'identifier_hash' | 'amount'>

interface Candidate extends Pick<Claim, 'network' | 'payer' | 'fingerprint'> {
  sent: string
  identifier: string | null
  /** Only purchases that were asked for without proof after this time, in milliseconds. */
  since: number
}

const findCandidates = prepare(
  (db: LedgerDatabase, { network, payer, fingerprint, sent, identifier, since }: Places<Candidate>) => {
    const settled = (part: Part) =>
      db
        .selectFrom('payment')
        .selectAll()
        .where('network', '=', network)
        .where('payer', '=', payer)
        .where(part)
        .where('state', '=', 'settled')
    const asked = (part: Part) =>
      settled(part).where((where) =>
        // In SQL nothing is equal to null: a request without an identifier finds no purchase by it.
        where.or([where('asked_again_at', '>', since), where('identifier_hash', '=', identifier)]),
      )
    const lost = settled((where) => where('fingerprint', '=', sql.val(lostFingerprint))).where((where) =>
      where.or([
        where('asked_again_at', '>', since),
        where.not(
          where.exists(
            where
              .selectFrom('wallet_proof')
              .select('wallet_proof.key')
              .whereRef('wallet_proof.payment_key', '=', 'payment.key'),
          ),
        ),
      ]),
    )
    const [input, words, former] = sameWish({ fingerprint, sent })
    return lost.unionAll(asked(input)).unionAll(asked(words)).unionAll(asked(former)).orderBy('settled_at')
  },
)

const findWalletProof = prepare((db: LedgerDatabase, { key }: Places<{ key: string }>) =>
  db.selectFrom('wallet_proof').selectAll().where('key', '=', key),
)

/**
 * Owed purchases: paid for, but perhaps never received. The wallet that paid fetches them without a charge, with a
 * fresh signature over an unused nonce as proof.
 */
export function makeOwedPurchases({ db, products, owner, now }: OwedDeps) {
  const leaseNow = leaseClock(db, now)
  return {
    /**
     * The purchase that the wallet is owed for this request: bought under the same `payment-identifier`; asked for
     * without proof within `proofWindowMs`; or lost with the ledger. Without one of these, the same request buys again.
     *
     * @param signedAt when the wallet signed, in milliseconds: a proof that was signed within the window must not be
     *   taken for a payment because it arrives, or is checked, after the window
     * @param options `mayBeLost`: whether a lost purchase could be made again from this request
     */
    async findOwed(wish: OwedWish, signedAt = now(), { mayBeLost = true } = {}): Promise<PaymentRow | undefined> {
      const { network, payer, fingerprint, sent, identifier_hash: identifier, amount } = wish
      const { rows } = await findCandidates(db, {
        network,
        payer,
        fingerprint,
        sent: sent ?? fingerprint,
        identifier,
        since: Math.min(signedAt, now()) - proofWindowMs,
      })
      return rows.find((row) => {
        // Of a lost purchase only the amount is known.
        if (row.fingerprint === lostFingerprint) return mayBeLost && BigInt(row.amount) >= BigInt(amount)
        return row.body !== null || row.body_file !== null
      })
    },

    /**
     * Notes that a purchase was asked for without proof: for `proofWindowMs` a fresh signature of its wallet fetches
     * it.
     */
    async noteAsked(key: string): Promise<void> {
      await db.updateTable('payment').set({ asked_again_at: now() }).where('key', '=', key).execute()
    },

    /** Starts that window again, unless the purchase has been fetched meanwhile. */
    async stayAsked(key: string): Promise<void> {
      const asked = db.updateTable('payment').set({ asked_again_at: now() }).where('key', '=', key)
      await asked.where('asked_again_at', 'is not', null).execute()
    },

    /**
     * Records an authorization as proof: from now on it fetches that purchase and is never settled. The first proof
     * uses up what is owed, so that of several authorizations sent at once the others are payments. Under the same
     * `payment-identifier` all authorizations fetch the same purchase, and nothing has to be recorded.
     *
     * @returns false when another authorization was quicker
     */
    async keepProof(
      { key, authorization, identifier_hash }: Pick<Claim, 'key' | 'authorization' | 'identifier_hash'>,
      owed: Pick<PaymentRow, 'key' | 'fingerprint' | 'identifier_hash'>,
    ): Promise<boolean> {
      if (identifier_hash !== null && identifier_hash === owed.identifier_hash) return true
      return transact(db, async (tx) => {
        await alone(tx, 'owed', owed.key)
        const marked = tx.updateTable('payment').set({ asked_again_at: null }).where('key', '=', owed.key)
        const used = await marked.where('asked_again_at', 'is not', null).executeTakeFirstOrThrow()
        const proofs = tx.selectFrom('wallet_proof').select('key').where('payment_key', '=', owed.key)
        const isFetched = (await proofs.executeTakeFirst()) !== undefined
        // A lost purchase is owed to the first proof even if nobody asked for it before. If its product could not be
        // made then, asking again without proof makes it owed to another proof.
        const isOwed = used.numUpdatedRows === 1n || (owed.fingerprint === lostFingerprint && !isFetched)
        if (!isOwed) return false
        const row = { key, authorization, payment_key: owed.key, at: now(), changed_to: null }
        await tx
          .insertInto('wallet_proof')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return true
      })
    },

    /** The proof that an authorization was recorded as, with the purchase that it fetches. */
    async findProof(key: string): Promise<Proof | undefined> {
      const {
        rows: [proof],
      } = await findWalletProof(db, { key })
      if (!proof) return undefined
      const row = await db.selectFrom('payment').selectAll().where('key', '=', proof.payment_key).executeTakeFirst()
      return row && { authorization: proof.authorization, row, isChanged: proof.changed_to !== null }
    },

    /** Takes the lease of a lost purchase, to make its product again; undefined while another process holds it. */
    async takeLost(row: PaymentRow): Promise<Lease | undefined> {
      if (row.lease_until > leaseNow() && !isGone(row.owner)) return undefined
      const fence = row.fence + 1
      const taken = await db
        .updateTable('payment')
        .set({ owner, fence, lease_until: leaseNow() + leaseMs })
        .where('key', '=', row.key)
        .where('fence', '=', row.fence)
        .where('fingerprint', '=', lostFingerprint)
        .executeTakeFirst()
      return taken.numUpdatedRows === 1n ? { key: row.key, fence } : undefined
    },

    /**
     * Stores the product and the request of a lost purchase, corrects its sale and totals, and grants what it carries.
     *
     * @throws LeaseLost when another process took the row
     */
    async fillLost(
      lease: Lease,
      bought: Pick<
        Claim,
        'fingerprint' | 'sent' | 'offer_id' | 'product' | 'path' | 'version' | 'token_hash' | 'identifier_hash'
      >,
      made: Product,
    ): Promise<PaymentRow> {
      const kept = await keepProduct(products, made)
      return transact(db, async (tx) => {
        const filled = await tx
          .updateTable('payment')
          .set({ ...bought, ...kept, lease_until: 0 })
          .where('key', '=', lease.key)
          .where('fence', '=', lease.fence)
          .where('fingerprint', '=', lostFingerprint)
          .returningAll()
          .executeTakeFirst()
        if (!filled) throw new LeaseLost(lease.key)
        const { offer_id, product, path } = bought
        const standing = tx.selectFrom('sale').selectAll().where('payment_key', '=', lease.key)
        const before = await standing.where('reversed_at', 'is', null).executeTakeFirst()
        await tx
          .updateTable('sale')
          .set({ offer_id, product, path, grants: kept.grants, sha256: kept.body_sha256 })
          .where('payment_key', '=', lease.key)
          .execute()
        if (before) {
          await countSale(tx, before, -1n)
          await countSale(tx, { ...before, offer_id, path }, 1n)
        }
        if (kept.grants !== null) await applyGrants(tx, kept.grants, now())
        return filled
      })
    },

    /** Ends the lease of a lost purchase whose product could not be made. */
    async letGoLost(lease: Lease): Promise<void> {
      const row = db.updateTable('payment').set({ lease_until: 0 }).where('key', '=', lease.key)
      await row.where('fence', '=', lease.fence).execute()
    },
  }
}
