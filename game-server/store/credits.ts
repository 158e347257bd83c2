import type { Transaction } from 'kysely'
import { findCupForEntries, grantEntitlements, holdPlayer, toCupScope } from '../../src/payments/ledger/grants.ts'
import type { LedgerSchema } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { transact } from '../../src/storage/transact.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Credits a player can earn in one UTC day. */
const dailyCap = 40

/** A reward for play. The same reason and reference are paid to a player once. */
export interface Earned {
  /** The key of the player. */
  key: string
  credits: number
  /** `depth`, `daily` or `cup`. */
  reason: string
  /** Which depth of which life, which day, or which cup. */
  ref: string
}

/** A product to be bought with credits. */
export interface Wanted {
  key: string
  sku: string
  creditPrice: number
  grants: readonly [string, ...string[]]
  isCupEntry: boolean
}

export type Redeemed =
  | { is: 'redeemed'; balance: number }
  | { is: 'already-owned'; balance: number }
  | { is: 'insufficient'; balance: number }

type Tx = Transaction<LedgerSchema>

/** Game credits: earned by play on the server, never bought. Each change is one entry in the ledger. */
export function makeCredits({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const balanceOf = async (key: string, from: Tx | LedgerDatabase = db): Promise<number> => {
    const player = await from.selectFrom('player').select('credits').where('key', '=', key).executeTakeFirst()
    return player?.credits ?? 0
  }

  const earnedToday = async (tx: Tx, key: string): Promise<number> => {
    const { sum } = await tx
      .selectFrom('credit_entry')
      .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
      .where('player_key', '=', key)
      .where('at', '>=', Math.floor(now() / dayMs) * dayMs)
      .where('amount', '>', 0)
      .executeTakeFirstOrThrow()
    return Number(sum ?? 0)
  }

  return {
    balance: (key: string): Promise<number> => balanceOf(key),

    /** @returns the credits that were added: 0 for a reward paid before, fewer or 0 once the daily cap is reached */
    earn: ({ key, credits, reason, ref }: Earned): Promise<number> =>
      transact(db, async (tx) => {
        await holdPlayer(tx, key)
        const amount = Math.max(0, Math.min(credits, dailyCap - (await earnedToday(tx, key))))
        const entry = await tx
          .insertInto('credit_entry')
          .values({ player_key: key, reason, ref, amount, at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (entry.numInsertedOrUpdatedRows !== 1n || amount === 0) return 0
        await tx
          .updateTable('player')
          .set(({ eb }) => ({ credits: eb('credits', '+', amount) }))
          .where('key', '=', key)
          .execute()
        return amount
      }),

    /** Charges and grants in one transaction. What the player owns already, from any source, is not charged again. */
    redeem: ({ key, sku, creditPrice, grants, isCupEntry }: Wanted): Promise<Redeemed> =>
      transact(db, async (tx) => {
        await holdPlayer(tx, key)
        const scope = isCupEntry ? toCupScope(await findCupForEntries(tx, now())) : ''
        const owned = await tx
          .selectFrom('entitlement')
          .select('entitlement')
          .where('player_key', '=', key)
          .where('entitlement', '=', grants[0])
          .where('scope', '=', scope)
          .executeTakeFirst()
        if (owned) return { is: 'already-owned', balance: await balanceOf(key, tx) }
        const paid = await tx
          .updateTable('player')
          .set(({ eb }) => ({ credits: eb('credits', '-', creditPrice) }))
          .where('key', '=', key)
          .where('credits', '>=', creditPrice)
          .returning('credits')
          .executeTakeFirst()
        if (!paid) return { is: 'insufficient', balance: await balanceOf(key, tx) }
        const ref = scope === '' ? sku : `${sku} ${scope}`
        await tx
          .insertInto('credit_entry')
          .values({ player_key: key, reason: 'redeem', ref, amount: -creditPrice, at: now() })
          .execute()
        await grantEntitlements(tx, { key, entitlements: grants, scope, source: 'credits' }, now())
        return { is: 'redeemed', balance: paid.credits }
      }),
  }
}

export type Credits = ReturnType<typeof makeCredits>
