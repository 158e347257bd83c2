import type { Selectable, Transaction } from 'kysely'
import { testNetworks } from '../../core/networks.ts'
import { AnswerLost } from '../../storage/answer-lost.ts'
import type { LedgerSchema, SaleFinality, SaleTable } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type Places, prepare } from '../../storage/prepare.ts'
import { alone, transact } from '../../storage/transact.ts'
import type { Paid } from '../chain/chain-oracle.ts'
import { type Lease, LeaseLost } from './lease.ts'
import { lostFingerprint, makeOwedPurchases, type OwedDeps } from './owed-purchases.ts'
import type { Claim, PaymentRow } from './payment-row.ts'
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
  row: PaymentRow
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

/** What the ledger knows of sales: how they come to be, how sure they are, and how they are taken back. */
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

  /** Whether nobody has judged a sale since it was looked at; from here to the end of the transaction nobody else does. */
  const isAsSeen = async (tx: Transaction<LedgerSchema>, seen: Selectable<SaleTable>): Promise<boolean> => {
    await alone(tx, 'sale', seen.id)
    const same = tx.selectFrom('sale').select('id').where('id', '=', seen.id).where('reversed_at', 'is', null)
    return (await same.where('finality', '=', seen.finality).executeTakeFirst()) !== undefined
  }

  /** The sale that this very lease has recorded. */
  const findSettled = async ({ key, fence }: Lease): Promise<RecordedSale | undefined> => {
    const mine = db.selectFrom('payment').selectAll().where('key', '=', key).where('fence', '=', fence)
    const row = await mine.where('owner', '=', owner).where('state', '=', 'settled').executeTakeFirst()
    const sale = row && (await db.selectFrom('sale').selectAll().where('payment_key', '=', key).executeTakeFirst())
    return row && sale && { row, receipt: toReceipt(sale) }
  }

  return {
    /**
     * Settled and sold become true together or not at all, with what the sale grants. Where the answer to that was lost
     * it is done again: what is settled already under the same lease is this very sale.
     *
     * @throws when a sale that is final is backed by the same transfer; LeaseLost when another process took the row
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
     * Writes a sale back that the ledger does not know, because it was restored from a backup, or that it gave up for
     * lost: the chain shows that this authorization paid us. What it bought is not known any more.
     *
     * @param at when it was paid, in milliseconds; now where nobody looked
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

    /** Sales on a network whose transfer may still be lost, the oldest first. */
    async openSales(network: string, limit: number): Promise<OpenSale[]> {
      const sales = await db
        .selectFrom('sale')
        .selectAll()
        .where('network', '=', network)
        .where('finality', '<>', 'final')
        .where('reversed_at', 'is', null)
        .orderBy('settled_at')
        .limit(limit)
        .execute()
      const keys = sales.map(({ payment_key }) => payment_key)
      const rows =
        keys.length === 0 ? [] : await db.selectFrom('payment').selectAll().where('key', 'in', keys).execute()
      const byKey = new Map(rows.map((row) => [row.key, row]))
      return sales.flatMap((sale) => {
        const row = byKey.get(sale.payment_key)
        return row?.state === 'settled' ? [{ sale, row }] : []
      })
    },

    /**
     * The transfer was seen again, this sure now; it may have moved to another block or transaction. What another process
     * has found out meanwhile stands.
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
     * The transfer is gone from the chain: the sale is taken back. While the authorization may still be used, the
     * payment waits to be settled again; else it failed.
     *
     * @returns whether it was this call that took it back
     */
    async reverseSale({ sale, row }: OpenSale, reason: string, mayBeSettledAgain: boolean): Promise<boolean> {
      return transact(db, async (tx) => {
        if (!(await isAsSeen(tx, sale))) return false
        const isKept = row.body !== null || row.body_file !== null
        const waits = mayBeSettledAgain && isKept
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

    /** How many sales since then are reversed; those for test money are nobody's loss. */
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

/** Of a payment whose product and request went with the lost ledger. */
const lost = {
  ...{ fingerprint: lostFingerprint, sent: null, lease_until: 0, deliveries: 0 },
  ...{ body: null, body_file: null, body_bytes: 0, body_sha256: null, digest: null, version: null },
  ...{ token_hash: null, identifier_hash: null, payload: null, caller: null },
}
