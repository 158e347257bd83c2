import type { Selectable, Transaction } from 'kysely'
import { isGone } from '../lease-owner.ts'
import type { LedgerSchema, PaymentTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { withoutSync } from '../storage/without-sync.ts'
import { applyGrants } from './grants.ts'
import { makeLedgerUpkeep } from './ledger-upkeep.ts'
import type { Product } from './product.ts'
import type { ProductStore } from './product-store.ts'

export type PaymentRow = Selectable<PaymentTable>

/** The right to move one row on, until it runs out or another takes it. */
export interface Lease {
  readonly key: string
  /** Every write names it; a write under an old fence changes nothing. */
  readonly fence: number
}

/** What a new payment claims: the columns that are known before any work. */
export type Claim = Pick<
  PaymentRow,
  | 'key'
  | 'offer_id'
  | 'product'
  | 'path'
  | 'fingerprint'
  | 'authorization'
  | 'payer'
  | 'pay_to'
  | 'asset'
  | 'network'
  | 'nonce'
  | 'amount'
  | 'valid_before'
  | 'token_hash'
  | 'identifier_hash'
>

/** Another process holds the row now; whatever this one was about to write is void. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A lease lasts this long and is renewed three times in it. */
export const leaseMs = 10_000

export interface LedgerOptions {
  db: LedgerDatabase
  products: ProductStore
  /** This process, from `makeOwner`. */
  owner: string
  now: () => number
  newReceiptId: () => string
}

/**
 * One row per signed authorization, keyed by payer and nonce rather than by signature bytes, because one
 * authorization has many valid encodings.
 *
 *     working ──► settling ──► settled
 *        │  └──► ready ─┘ │ └──► failed      the chain says it can never pay us
 *        │         ▲      └ refused: nothing was broadcast, the product is kept
 *        │         └──────────┘
 *        └──► (released: the row is deleted, the signature is unspent)
 *
 * A row leaves `settling` only when the chain is known. `ready` and `settling` rows hold the whole product, durably.
 */
export function makeLedger({ db, products, owner, now, newReceiptId }: LedgerOptions) {
  const one = (result: { numUpdatedRows?: bigint; numDeletedRows?: bigint }, lease: Lease): void => {
    if ((result.numUpdatedRows ?? result.numDeletedRows) !== 1n) throw new LeaseLost(lease.key)
  }
  const find = (key: string): Promise<PaymentRow | undefined> =>
    db.selectFrom('payment').selectAll().where('key', '=', key).executeTakeFirst()

  const update = (lease: Lease, states: PaymentRow['state'][], tx: Transaction<LedgerSchema> | LedgerDatabase = db) =>
    tx
      .updateTable('payment')
      .where('key', '=', lease.key)
      .where('fence', '=', lease.fence)
      .where('owner', '=', owner)
      .where('state', 'in', states)

  const keep = async (lease: Lease, product: Product, state: 'ready' | 'settling', fromBlock: number | null) => {
    const stored = await products.keep(product.body)
    const row = {
      state,
      mime_type: product.mimeType,
      headers: JSON.stringify(product.headers ?? {}),
      body: stored.body,
      body_file: stored.file,
      body_bytes: product.body.byteLength,
      grants: product.grants ?? null,
      from_block: fromBlock,
      // A buyer who left may sign anew under the same identifier.
      ...(state === 'ready' && { lease_until: 0, identifier_hash: null }),
    }
    one(await update(lease, ['working']).set(row).executeTakeFirst(), lease)
  }

  return {
    find,

    /** The row that an earlier payment of the same payer bought under the same `payment-identifier`. */
    findByIdentifier: (identifierHash: string): Promise<PaymentRow | undefined> =>
      db.selectFrom('payment').selectAll().where('identifier_hash', '=', identifierHash).executeTakeFirst(),

    /**
     * Inserts the row in `working`; undefined when the authorization or the identifier is taken already. A claim that
     * a power cut takes back is a released one, and before money moves there is a write that waits for the disk.
     */
    async claim(claim: Claim): Promise<Lease | undefined> {
      const row = {
        ...claim,
        state: 'working' as const,
        owner,
        fence: 1,
        lease_until: now() + leaseMs,
        created_at: now(),
        deliveries: 0,
      }
      const inserted = await db
        .insertInto('payment')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .modifyEnd(withoutSync)
        .executeTakeFirst()
      return inserted.numInsertedOrUpdatedRows === 1n ? { key: claim.key, fence: 1 } : undefined
    },

    /** Takes over an unfinished row whose lease ran out or whose owner is gone; undefined while it is held. */
    async take(row: PaymentRow): Promise<Lease | undefined> {
      if (row.lease_until > now() && !isGone(row.owner)) return undefined
      const fence = row.fence + 1
      const taken = await db
        .updateTable('payment')
        .set({ owner, fence, lease_until: now() + leaseMs })
        .where('key', '=', row.key)
        .where('fence', '=', row.fence)
        .where('lease_until', '=', row.lease_until)
        .where('state', 'in', ['working', 'ready', 'settling'])
        .executeTakeFirst()
      return taken.numUpdatedRows === 1n ? { key: row.key, fence } : undefined
    },

    /** @throws LeaseLost when another process took the row */
    async renew(lease: Lease): Promise<void> {
      const set = { lease_until: now() + leaseMs }
      one(await update(lease, ['working', 'ready', 'settling']).set(set).executeTakeFirst(), lease)
    },

    /** Deletes a `working` row: nothing was bought and the signature is unspent. */
    async release(lease: Lease): Promise<void> {
      const gone = db.deleteFrom('payment').where('key', '=', lease.key).where('fence', '=', lease.fence)
      one(await gone.where('owner', '=', owner).where('state', '=', 'working').executeTakeFirst(), lease)
    },

    /** The one durable write before money moves: the whole product, and state `settling`. */
    keepAndSettle: (lease: Lease, product: Product, fromBlock: number | null): Promise<void> =>
      keep(lease, product, 'settling', fromBlock),

    /** Keeps the product of a buyer who left before settlement; the same request resumes from here. */
    keepReady: (lease: Lease, product: Product, fromBlock: number | null): Promise<void> =>
      keep(lease, product, 'ready', fromBlock),

    /** Before a product that waited is settled. */
    async beginSettling(lease: Lease): Promise<void> {
      one(await update(lease, ['ready']).set({ state: 'settling' }).executeTakeFirst(), lease)
    },

    /** Settled and sold become true together or not at all, with what the sale grants. */
    async finish(lease: Lease, transaction: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const at = now()
        const set = {
          state: 'settled' as const,
          transaction_hash: transaction,
          settled_at: at,
          lease_until: 0,
          reason: null,
        }
        const row = await update(lease, ['settling', 'ready'], tx).set(set).returningAll().executeTakeFirst()
        if (!row) throw new LeaseLost(lease.key)
        await tx
          .insertInto('sale')
          .values({
            id: newReceiptId(),
            payment_key: row.key,
            offer_id: row.offer_id,
            product: row.product,
            path: row.path,
            amount: row.amount,
            asset: row.asset,
            network: row.network,
            pay_to: row.pay_to,
            payer: row.payer,
            transaction_hash: transaction,
            settled_at: at,
            grants: row.grants,
          })
          .execute()
        if (row.grants !== null) await applyGrants(tx, row.grants, at)
      })
    },

    /** The facilitator refused before any broadcast and the chain shows the nonce unused: the product waits. */
    async refuse(lease: Lease, reason: string): Promise<void> {
      const set = { state: 'ready' as const, reason, lease_until: 0, identifier_hash: null }
      one(await update(lease, ['settling']).set(set).executeTakeFirst(), lease)
    },

    /** The chain says this authorization can never pay us: the product is dropped. */
    async fail(lease: Lease, reason: string): Promise<void> {
      const set = {
        state: 'failed' as const,
        reason,
        lease_until: 0,
        body: null,
        body_file: null,
        identifier_hash: null,
      }
      one(await update(lease, ['settling', 'ready']).set(set).executeTakeFirst(), lease)
    },

    /** Gives the row back unfinished, so that the next copy of the request may go on at once. */
    async letGo(lease: Lease): Promise<void> {
      await update(lease, ['ready', 'settling']).set({ lease_until: 0 }).executeTakeFirst()
    },

    /** @returns which delivery of the product this is, from 1 */
    async countDelivery(key: string): Promise<number> {
      const row = await db
        .updateTable('payment')
        .set((expression) => ({ deliveries: expression('deliveries', '+', 1) }))
        .where('key', '=', key)
        .where('state', '=', 'settled')
        .returning('deliveries')
        .executeTakeFirst()
      return row?.deliveries ?? 0
    },

    ...makeLedgerUpkeep({ db, products, now }),
  }
}

/** With its upkeep the only writer of the tables `payment` and `sale`. */
export type Ledger = ReturnType<typeof makeLedger>
