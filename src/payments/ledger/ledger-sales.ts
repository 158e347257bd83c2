import type { Selectable, Transaction } from 'kysely'
import { testNetworks } from '../../core/networks.ts'
import { AnswerLost } from '../../storage/answer-lost.ts'
import type { LedgerSchema, SaleFinality, SaleTable } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { alone, transact } from '../../storage/transact.ts'
import type { Paid } from '../chain/witness.ts'
import { type Lease, LeaseLost } from './lease.ts'
import { lostFingerprint, makeOwedPurchases, type OwedDeps } from './owed-purchases.ts'
import { type Claim, type ComparedPayment, comparedColumns, type PaymentRow } from './payment-row.ts'
import type { Receipt } from './receipt-schema.ts'
import { toReceipt } from './receipts.ts'
import { countSale } from './sale-totals.ts'
import { makeWriteSale, type SeenTransfer, toFacts, type WriteSaleDeps } from './write-sale.ts'

/** A sale as it was just recorded. */
export interface RecordedSale {
  row: PaymentRow
  receipt: Receipt
}

/** A sale whose transfer is not final yet, with its payment. */
export interface OpenSale {
  sale: Selectable<SaleTable>
  row: ComparedPayment
}

interface Options extends OwedDeps, WriteSaleDeps {}

interface Settling extends Lease {
  owner: string
  transaction: string
  at: number
}

const settlePayment = prepare((db: LedgerDatabase, { key, fence, owner, transaction, at }: Places<Settling>) =>
  db
    .updateTable('payment')
    .set({
      state: 'settled',
      transaction_hash: transaction,
      settled_at: at,
      lease_until: 0,
      reason: null,
      caller: null,
    })
    .where('key', '=', key)
    .where('fence', '=', fence)
    .where('owner', '=', owner)
    .where('state', 'in', ['settling', 'ready'])
    .returningAll(),
)

/** Records sales, tracks how final their transfers are, and reverses sales that the chain lost. */
export function makeLedgerSales(options: Options) {
  const { db, owner, now } = options

  const { takePlace, announceSale, writeSale } = makeWriteSale(options)

  const settle = (lease: Lease, seen: SeenTransfer): Promise<RecordedSale> =>
    transact(db, async (tx) => {
      const at = now()
      const { rows } = await settlePayment(tx, { ...lease, owner, transaction: seen.transaction, at })
      const [row] = rows
      if (!row) throw new LeaseLost(lease.key)
      return { row, receipt: toReceipt(await writeSale(tx, row, seen, at)) }
    })

  /**
   * Whether a sale still has the finality with which it was read, and is not reversed. Locks it until the transaction
   * ends, so that no other process changes that meanwhile.
   */
  const isAsSeen = async (tx: Transaction<LedgerSchema>, seen: Selectable<SaleTable>): Promise<boolean> => {
    await alone(tx, 'sale', seen.id)
    const same = tx.selectFrom('sale').select('id').where('id', '=', seen.id).where('reversed_at', 'is', null)
    return (await same.where('finality', '=', seen.finality).executeTakeFirst()) !== undefined
  }

  const findOpen = async (network: string): Promise<Selectable<SaleTable>[]> => {
    const open = db.selectFrom('sale').selectAll().where('finality', '<>', 'final').where('reversed_at', 'is', null)
    // The network is no condition of the query: with one, SQLite would read all its sales and not only the open ones.
    return (await open.orderBy('settled_at').execute()).filter((sale) => sale.network === network)
  }

  /** The sale that was recorded under this lease. */
  const findSettled = async ({ key, fence }: Lease): Promise<RecordedSale | undefined> => {
    const mine = db.selectFrom('payment').selectAll().where('key', '=', key).where('fence', '=', fence)
    const row = await mine.where('owner', '=', owner).where('state', '=', 'settled').executeTakeFirst()
    const sale = row && (await db.selectFrom('sale').selectAll().where('payment_key', '=', key).executeTakeFirst())
    return row && sale && { row, receipt: toReceipt(sale) }
  }

  return {
    /**
     * Sets the payment to `settled` and writes its sale and grants in one transaction. When the database's answer to
     * the commit was lost, the transaction is repeated; a row that is already settled under the same lease is this
     * sale.
     *
     * @throws when a final sale is backed by the same transfer; LeaseLost when another process took the row
     */
    async recordSale(lease: Lease, seen: SeenTransfer): Promise<RecordedSale> {
      try {
        return await settle(lease, seen)
      } catch (error) {
        if (!(error instanceof AnswerLost)) throw error
      }
      try {
        return await settle(lease, seen)
      } catch (error) {
        const sale = error instanceof LeaseLost ? await findSettled(lease) : undefined
        if (!sale) throw error
        return sale
      }
    },

    /**
     * Writes back a sale that the chain shows and the ledger lacks, because it was restored from a backup, or has as
     * `failed`. What the payment bought is not known any more.
     *
     * @param at when it was paid, in milliseconds; the current time when it was not looked up
     */
    async recoverSale(claim: Claim, paid: Paid, at = now()): Promise<void> {
      await transact(db, async (tx) => {
        const settled = { ...lost, state: 'settled' as const, transaction_hash: paid.transaction, settled_at: at }
        const row = { ...claim, ...settled, owner: '', fence: 1, created_at: at }
        const written = await tx
          .insertInto('payment')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column('key')
              .doUpdateSet({ ...settled, reason: null })
              .where('payment.state', '=', 'failed'),
          )
          .executeTakeFirst()
        if (written.numInsertedOrUpdatedRows !== 1n) return
        await writeSale(tx, { ...row, grants: null }, paid, at)
      })
    },

    /** Whether the transfer of any sale on a network may still be lost. */
    hasOpenSales: async (network: string): Promise<boolean> => (await findOpen(network)).length > 0,

    /**
     * Sales on a network whose transfer may still be lost, the oldest first.
     *
     * @param isDue which of them are wanted; all when absent
     */
    async openSales(
      network: string,
      limit: number,
      isDue: (sale: Selectable<SaleTable>) => boolean = () => true,
    ): Promise<OpenSale[]> {
      const sales = (await findOpen(network)).filter(isDue).slice(0, limit)
      const keys = sales.map(({ payment_key }) => payment_key)
      const rows =
        keys.length === 0
          ? []
          : await db.selectFrom('payment').select(comparedColumns).where('key', 'in', keys).execute()
      const byKey = new Map(rows.map((row) => [row.key, row]))
      return sales.flatMap((sale) => {
        const row = byKey.get(sale.payment_key)
        return row?.state === 'settled' ? [{ sale, row }] : []
      })
    },

    /**
     * Records that the transfer was seen again, with its finality now and its block and transaction, which may have
     * changed. Does nothing when another process has updated the sale meanwhile.
     */
    async confirmSale({ sale, row }: OpenSale, paid: Paid, finality: Exclude<SaleFinality, 'claimed'>): Promise<void> {
      await transact(db, async (tx) => {
        if (!(await isAsSeen(tx, sale))) return
        await takePlace(tx, row, paid)
        const confirmed = await tx
          .updateTable('sale')
          .set({ ...toFacts(paid), finality })
          .where('payment_key', '=', row.key)
          .returningAll()
          .executeTakeFirstOrThrow()
        if (sale.finality === 'claimed') await announceSale(tx, confirmed)
        await tx
          .updateTable('payment')
          .set({ transaction_hash: paid.transaction, ...(finality === 'final' && { payload: null }) })
          .where('key', '=', row.key)
          .where('state', '=', 'settled')
          .execute()
      })
    },

    /**
     * Reverses a sale whose transfer is gone from the chain. The payment waits in `settling` to be settled again if its
     * authorization may still be used and its product is still stored; otherwise it becomes `failed`.
     *
     * @returns whether it was this call that reversed the sale
     */
    async reverseSale({ sale, row }: OpenSale, reason: string, mayBeSettledAgain: boolean): Promise<boolean> {
      return transact(db, async (tx) => {
        if (!(await isAsSeen(tx, sale))) return false
        const kept = await tx
          .selectFrom('payment')
          .select('key')
          .where('key', '=', row.key)
          .where((where) => where.or([where('body', 'is not', null), where('body_file', 'is not', null)]))
          .executeTakeFirst()
        const waits = mayBeSettledAgain && kept !== undefined
        const taken = await tx
          .updateTable('payment')
          .set({
            state: waits ? 'settling' : 'failed',
            transaction_hash: null,
            settled_at: null,
            lease_until: 0,
            fence: row.fence + 1,
            reason,
            ...(!waits && { body: null, body_file: null, payload: null, identifier_hash: null, caller: null }),
          })
          .where('key', '=', row.key)
          .where('fence', '=', row.fence)
          .where('state', '=', 'settled')
          .executeTakeFirst()
        if (taken.numUpdatedRows !== 1n) return false
        const reversed = await tx
          .updateTable('sale')
          .set({ reversed_at: now() })
          .where('payment_key', '=', row.key)
          .where('reversed_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (reversed) {
          await countSale(tx, reversed, -1n)
          await announceSale(tx, reversed, 'reversed')
        }
        return true
      })
    },

    /** How many sales since a time (milliseconds) are reversed, not counting those for test money. */
    async countReversed(since: number): Promise<number> {
      const { count } = await db
        .selectFrom('sale')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('settled_at', '>', since)
        .where('reversed_at', 'is not', null)
        .where('network', 'not in', testNetworks)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    ...makeOwedPurchases(options),
  }
}

/** The columns of a payment whose product and request were lost with the ledger. */
const lost = {
  ...{ fingerprint: lostFingerprint, sent: null, lease_until: 0, deliveries: 0 },
  ...{ body: null, body_file: null, body_bytes: 0, body_sha256: null, digest: null, version: null },
  ...{ token_hash: null, identifier_hash: null, payload: null, caller: null },
}
