import { setImmediate as nextTurn } from 'node:timers/promises'
import { leaseClock } from '../../storage/lease-clock.ts'
import { isGone } from '../../storage/lease-owner.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { type ComparedPayment, comparedColumns } from './payment-row.ts'
import type { ProductStore } from './product-store.ts'

/** How many products are dropped in one write: large ones take time, and other requests must be served in between. */
const purgedAtOnce = 20

/** What is cleared with the bytes: a `payment-identifier` under which nothing can be fetched may be used again. */
const gone = { body: null, body_file: null, identifier_hash: null }

interface Options {
  readonly db: LedgerDatabase
  readonly products: ProductStore
  readonly now: () => number
}

/** The maintenance of the ledger: finds unattended rows, and drops what is past its time. */
export function makeLedgerUpkeep({ db, products, now }: Options) {
  const leaseNow = leaseClock(db, now)

  /** Products whose redelivery window is over and whose bytes are still there. */
  const selectPast = (settledBefore: number) =>
    db
      .selectFrom('payment')
      .select('key')
      .where('state', '=', 'settled')
      .where('settled_at', '<', settledBefore)
      .where((where) => where.or([where('body', 'is not', null), where('body_file', 'is not', null)]))

  return {
    /**
     * Rows that somebody must take care of: unfinished and not held by a living owner. A `ready` row waits for its
     * buyer while its authorization is valid, so it is not even read before that: strangers may leave hundreds of them.
     */
    async unattended(): Promise<ComparedPayment[]> {
      const rows = await db
        .selectFrom('payment')
        .select(comparedColumns)
        .where('state', 'in', ['working', 'ready', 'settling'])
        .where((where) =>
          where.or([where('state', '!=', 'ready'), where('valid_before', '<=', Math.floor(now() / 1000))]),
        )
        .execute()
      return rows.filter((row) => row.lease_until <= leaseNow() || isGone(row.owner))
    },

    /** Whether `purge` or `forgetFailed` may find anything to drop, so that the exact time has to be known. */
    async hasPast(settledBefore: number, madeBefore: number): Promise<boolean> {
      const found = await Promise.all([
        selectPast(settledBefore).limit(1).executeTakeFirst(),
        db.selectFrom('wallet_proof').select('key').where('at', '<', settledBefore).limit(1).executeTakeFirst(),
        db
          .selectFrom('payment')
          .select('key')
          .where('state', '=', 'failed')
          .where('created_at', '<', madeBefore)
          .limit(1)
          .executeTakeFirst(),
      ])
      return found.some((row) => row !== undefined)
    },

    /**
     * Drops the bytes of products whose redelivery window is over; the rows stay for the books.
     *
     * @returns how many products
     */
    async purge(settledBefore: number): Promise<number> {
      const past = await selectPast(settledBefore).execute()
      for (let from = 0; from < past.length; from += purgedAtOnce) {
        const keys = past.slice(from, from + purgedAtOnce).map(({ key }) => key)
        await db.updateTable('payment').set(gone).where('key', 'in', keys).execute()
        await nextTurn()
      }
      await db.deleteFrom('wallet_proof').where('at', '<', settledBefore).execute()
      const kept = await db.selectFrom('payment').select('body_file').where('body_file', 'is not', null).execute()
      await products.keepOnly(new Set(kept.flatMap(({ body_file }) => body_file ?? [])))
      return past.length
    },

    /**
     * Deletes the failed payment under a nonce whose authorization has expired, so that another authorization may use
     * it.
     *
     * @returns false when there is no such payment, or it had a sale
     */
    async forgetRunOut(key: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('payment')
        .where('key', '=', key)
        .where('state', '=', 'failed')
        .where('valid_before', '<', Math.floor(now() / 1000))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('sale').select('sale.id').whereRef('sale.payment_key', '=', 'payment.key'))),
        )
        .executeTakeFirst()
      return gone.numDeletedRows === 1n
    },

    /**
     * Deletes failed payments that were made, and whose authorization expired, before a time: a copy that is sent again
     * is refused as expired. Payments of reversed sales stay for the books, and so do those that a wallet proof names.
     *
     * @returns how many
     */
    async forgetFailed(madeBefore: number): Promise<number> {
      const gone = await db
        .deleteFrom('payment')
        .where('state', '=', 'failed')
        .where('created_at', '<', madeBefore)
        .where('valid_before', '<', Math.floor(madeBefore / 1000))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('sale').select('sale.id').whereRef('sale.payment_key', '=', 'payment.key'))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('wallet_proof').select('key').whereRef('payment_key', '=', 'payment.key'))),
        )
        .executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
  }
}
