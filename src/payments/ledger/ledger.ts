import type { ExpressionBuilder, Transaction } from 'kysely'
import type { Product } from '../../offers/product.ts'
import { leaseClock } from '../../storage/lease-clock.ts'
import { isGone } from '../../storage/lease-owner.ts'
import type { LedgerSchema } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { transact } from '../../storage/transact.ts'
import { keepProduct } from './keep-product.ts'
import { type Lease, LeaseLost, leaseMs, Outrun } from './lease.ts'
import { makeLedgerSales } from './ledger-sales.ts'
import { makeLedgerUpkeep } from './ledger-upkeep.ts'
import { holdWish, isAlone, makeOwnedPurchases } from './owned-purchases.ts'
import { type Claim, type PaymentRow, paidUnits } from './payment-row.ts'
import {
  addDelivery,
  findPayment,
  findUnpaid,
  insertClaim,
  keepAloneForSettlement,
  keepForSettlement,
} from './payment-statements.ts'
import type { ProductStore } from './product-store.ts'
import { makeRoomForUnpaid } from './unpaid-products.ts'

export interface LedgerOptions {
  db: LedgerDatabase
  products: ProductStore
  /** The unique name of this process, from `makeOwner`. */
  owner: string
  now: () => number
  newReceiptId: () => string
}

/**
 * One row per signed authorization, keyed by payer and nonce rather than by signature bytes, because one
 * authorization has many valid encodings.
 *
 *     working ──► settling ──► settled
 *        │  └──► ready ─┘ │ ▲    │ └──► settling   the chain lost the transfer and may still take it
 *        │         ▲      │ │    └────► failed     the chain lost the transfer for good
 *        │         │      └────► failed            the chain says it can never pay us
 *        │         └── refused: nothing was broadcast, the product is kept while there is room
 *        └──► (released: the row is deleted, the signature is unspent)
 *
 * A row leaves `settling` only when it is known what the chain shows. `ready` and `settling` rows hold the whole
 * product, durably.
 */
export function makeLedger({ db, products, owner, now, newReceiptId }: LedgerOptions) {
  const leaseNow = leaseClock(db, now)
  const one = (result: { numUpdatedRows?: bigint; numDeletedRows?: bigint }, lease: Lease): void => {
    if ((result.numUpdatedRows ?? result.numDeletedRows) !== 1n) throw new LeaseLost(lease.key)
  }
  const find = async (key: string): Promise<PaymentRow | undefined> => (await findPayment(db, { key })).rows[0]

  const update = (lease: Lease, states: PaymentRow['state'][], tx: Transaction<LedgerSchema> | LedgerDatabase = db) =>
    tx
      .updateTable('payment')
      .where('key', '=', lease.key)
      .where('fence', '=', lease.fence)
      .where('owner', '=', owner)
      .where('state', 'in', states)

  const release = async (lease: Lease): Promise<void> => {
    const gone = db.deleteFrom('payment').where('key', '=', lease.key).where('fence', '=', lease.fence)
    one(await gone.where('owner', '=', owner).where('state', '=', 'working').executeTakeFirst(), lease)
  }

  /** The error for a row that could not be moved to `settling`. */
  const whyNot = async ({ key, fence }: Lease, state: PaymentRow['state']): Promise<Error> => {
    const row = await find(key)
    return row?.fence === fence && row.owner === owner && row.state === state ? new Outrun(key) : new LeaseLost(key)
  }

  /** The `payment-identifier` is released, so that a buyer who left may sign again under it. */
  const waiting = { state: 'ready' as const, lease_until: 0, identifier_hash: null }

  return {
    find,

    /** The row of an earlier payment of the same payer under the same `payment-identifier`. */
    async findByIdentifier(identifierHash: string | null): Promise<PaymentRow | undefined> {
      if (identifierHash === null) return undefined
      return db.selectFrom('payment').selectAll().where('identifier_hash', '=', identifierHash).executeTakeFirst()
    },

    /** What the earlier unpaid payments of the same wallet may still take from it, in atomic units of the token. */
    async openAmount({
      key,
      network,
      payer,
      asset,
    }: Pick<PaymentRow, 'key' | 'network' | 'payer' | 'asset'>): Promise<bigint> {
      const { rows } = await findUnpaid(db, { network, payer, asset, nowSeconds: Math.floor(now() / 1000) })
      const at = rows.find((row) => row.key === key)?.created_at ?? now()
      const isEarlier = (row: (typeof rows)[number]): boolean =>
        row.created_at < at || (row.created_at === at && row.key < key)
      return rows.filter(isEarlier).reduce((sum, row) => sum + paidUnits(row), 0n)
    },

    /**
     * Inserts the row in `working`; undefined when the authorization or the identifier is already taken. The write does
     * not wait for the disk: a claim lost in a power cut is like a released one, and a durable write precedes any
     * payment.
     */
    async claim(claim: Claim): Promise<Lease | undefined> {
      const row = { ...claim, units: claim.units ?? null, owner, lease_until: leaseNow() + leaseMs, created_at: now() }
      const inserted = await insertClaim(db, row)
      return inserted.numAffectedRows === 1n ? { key: claim.key, fence: 1 } : undefined
    },

    /** Takes over an unfinished row whose lease expired or whose owner is gone; undefined while it is held. */
    async take(row: Pick<PaymentRow, 'key' | 'owner' | 'lease_until' | 'fence'>): Promise<Lease | undefined> {
      if (row.lease_until > leaseNow() && !isGone(row.owner)) return undefined
      const fence = row.fence + 1
      const taken = await db
        .updateTable('payment')
        .set({ owner, fence, lease_until: leaseNow() + leaseMs })
        .where('key', '=', row.key)
        .where('fence', '=', row.fence)
        .where('lease_until', '=', row.lease_until)
        .where('state', 'in', ['working', 'ready', 'settling'])
        .executeTakeFirst()
      return taken.numUpdatedRows === 1n ? { key: row.key, fence } : undefined
    },

    /** @throws LeaseLost when another process took the row */
    async renew(lease: Lease): Promise<void> {
      const set = { lease_until: leaseNow() + leaseMs }
      one(await update(lease, ['working', 'ready', 'settling']).set(set).executeTakeFirst(), lease)
    },

    /** Deletes a `working` row: nothing was bought and the signature is unspent. */
    release,

    /**
     * The one durable write before money moves: the whole product, and state `settling`.
     *
     * @param options `isLasting`: the buyer owns the product for good, so at most one payment of a wallet settles for
     *   it
     * @throws Outrun when it is lasting and another payment of the wallet for the same was quicker; LeaseLost when
     *   another process took the row
     */
    async keepForSettlement(
      lease: Lease,
      product: Product,
      fromBlock: number | null,
      { isLasting = false } = {},
    ): Promise<PaymentRow> {
      const kept = await keepProduct(products, product)
      const set = { ...kept, ...lease, owner, from_block: fromBlock }
      const { rows } = isLasting
        ? await transact(db, async (tx) => {
            await holdWish(tx, lease.key)
            return keepAloneForSettlement(tx, set)
          })
        : await keepForSettlement(db, set)
      const [row] = rows
      if (!row) throw await whyNot(lease, 'working')
      return row
    },

    /**
     * Keeps a product that was made but is not settled, because the program is ending; the same request resumes from
     * here. The row is released instead when too much waits unpaid already, for the buyer's address or in all.
     */
    async keepReady(lease: Lease, product: Product, fromBlock: number | null): Promise<void> {
      const { byteLength } = product.body
      const hasRoom = await transact(db, (tx) => makeRoomForUnpaid(tx, lease.key, byteLength, leaseNow()))
      if (!hasRoom) return release(lease)
      const set = { ...(await keepProduct(products, product)), from_block: fromBlock, ...waiting }
      one(await update(lease, ['working']).set(set).executeTakeFirst(), lease)
    },

    /**
     * Moves a row from `ready` to `settling`. The `payment-identifier` that it released while it waited is set again.
     *
     * @throws Outrun as `keepForSettlement` does, and when another payment has the identifier by now
     */
    async beginSettling(
      lease: Lease,
      { isLasting = false, identifierHash = null }: { isLasting?: boolean; identifierHash?: string | null } = {},
    ): Promise<void> {
      const begun = await transact(db, async (tx) => {
        if (isLasting) await holdWish(tx, lease.key)
        const begin = update(lease, ['ready'], tx)
          .set({ state: 'settling', identifier_hash: identifierHash })
          // In SQL nothing is equal to null, so a payment without an identifier collides with none.
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('payment as named').select('named.key').where('named.identifier_hash', '=', identifierHash),
              ),
            ),
          )
        const isFirst = (where: ExpressionBuilder<LedgerSchema, 'payment'>) =>
          isAlone(where.ref('payment.digest'))(where)
        return (isLasting ? begin.where(isFirst) : begin).executeTakeFirst()
      })
      if (begun.numUpdatedRows !== 1n) throw await whyNot(lease, 'ready')
    },

    /**
     * Records that the facilitator refused before any broadcast and that the chain shows the nonce unused: the product
     * waits in `ready`. The row is deleted instead when too much waits already.
     */
    async recordRefusal(lease: Lease, reason: string): Promise<void> {
      await transact(db, async (tx) => {
        const row = await update(lease, ['settling'], tx)
          .set({ ...waiting, reason })
          .returning('body_bytes')
          .executeTakeFirst()
        if (!row) throw new LeaseLost(lease.key)
        if (await makeRoomForUnpaid(tx, lease.key, row.body_bytes ?? 0, leaseNow())) return
        await tx.deleteFrom('payment').where('key', '=', lease.key).execute()
      })
    },

    /** Records that this authorization can never pay us, as the chain shows: the product is dropped. */
    async recordFailure(lease: Lease, reason: string): Promise<void> {
      const set = {
        state: 'failed' as const,
        reason,
        lease_until: 0,
        body: null,
        body_file: null,
        identifier_hash: null,
        payload: null,
        caller: null,
      }
      one(await update(lease, ['settling', 'ready']).set(set).executeTakeFirst(), lease)
    },

    /** Ends the lease of an unfinished row, so that the next copy of the request may take it at once. */
    async letGo(lease: Lease): Promise<void> {
      await update(lease, ['ready', 'settling']).set({ lease_until: 0 }).executeTakeFirst()
    },

    /**
     * Counts a delivery that is about to be sent. Copies of a request that waited for the same outcome count as one:
     * most connections of an impatient buyer are gone by then. The write does not wait for the disk: a power cut may
     * lose the count but not the sale, and a repeated request must still show the token or prove the wallet.
     */
    async countDelivery({ key, deliveries }: Pick<PaymentRow, 'key' | 'deliveries'>): Promise<void> {
      await addDelivery(db, { key, deliveries })
    },

    ...makeLedgerSales({ db, products, owner, now, newReceiptId }),
    ...makeOwnedPurchases({ db, now }),
    ...makeLedgerUpkeep({ db, products, now }),
  }
}

/** The ledger. With its sales and upkeep it is the only writer of the tables `payment`, `sale` and `wallet_proof`. */
export type Ledger = ReturnType<typeof makeLedger>
