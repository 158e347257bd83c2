import { type ExpressionBuilder, sql } from 'kysely'
import { holdPlayer } from '../../src/payments/ledger/grants.ts'
import type { LedgerSchema } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { transact } from '../../src/storage/transact.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { toTokenHash } from '../store/resume-token.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The same time after which realms that nobody returns to are closed. */
const neverPlayedMs = 30 * dayMs
const playedMs = 365 * dayMs
/** How many names one call of `next` returns at most. */
const namesPerLook = 100

/** The tables of the ledger in which any row keeps a name from being freed. */
export const possessions = ['entitlement', 'credit_entry', 'wall_shout', 'cup_run', 'cup_standing'] as const

interface Options {
  readonly db: GameDatabase
  readonly ledger: LedgerDatabase
  readonly moderation: Pick<Moderation, 'remaining'>
  readonly now: () => number
}

/**
 * Frees names that nobody uses. A name is freed when it was not played for 30 days and none of its lives ever ended, or
 * for a year if one did. A name that owns or ever earned anything is never freed: a purchase, a credit, a place in a
 * cup, a line on the wall. Nor is one with a life still under way, or one that the operator has reserved.
 */
export function makeUnusedNames({ db, ledger, moderation, now }: Options) {
  let lookedUpTo = ''

  const ownsNothing = (where: ExpressionBuilder<LedgerSchema, 'player'>) =>
    where.and(
      possessions.map((table) =>
        where.not(
          where.exists(
            where.selectFrom(table).select(sql.lit(1).as('one')).whereRef(`${table}.player_key`, '=', 'player.key'),
          ),
        ),
      ),
    )

  /** Names that are old enough to be freed, were not bought ahead, and own nothing. */
  const bare = (where: ExpressionBuilder<LedgerSchema, 'player'>) =>
    where.and([
      where('created_at', '<', now() - neverPlayedMs),
      where('token_hash', 'is not', null),
      where('reserved_until', 'is', null),
      ownsNothing(where),
    ])

  async function isUnused(key: string): Promise<boolean> {
    const lives = db
      .selectFrom('seat')
      .innerJoin('realm', 'realm.id', 'seat.realm')
      .leftJoin('life', (join) => join.onRef('life.realm', '=', 'seat.realm').onRef('life.player', '=', 'seat.player'))
      .where('seat.account', '=', key)
    const going = lives.where('seat.is_over', '=', 0).where('realm.closed_at', 'is', null)
    if (await going.select('seat.player').executeTakeFirst()) return false
    // Aggregated in the database, because an account may have a very large number of lives.
    const { diedAt, lastAt } = await lives
      .select(({ fn, ref }) => [
        fn.max('life.at').as('diedAt'),
        fn
          .max(fn.coalesce(ref('life.at'), ref('realm.frozen_at'), ref('realm.closed_at'), ref('seat.joined_at')))
          .as('lastAt'),
      ])
      .executeTakeFirstOrThrow()
    return Number(lastAt ?? 0) < now() - (diedAt === null ? neverPlayedMs : playedMs)
  }

  return {
    /** Frees a name if it may be freed: its token becomes invalid, and its past lives belong to no account any more. */
    async free(key: string): Promise<boolean> {
      if (moderation.remaining('reserve', key) > 0) return false
      const known = await ledger
        .selectFrom('player')
        .select('key')
        .where('key', '=', key)
        .where(bare)
        .executeTakeFirst()
      if (!known || !(await isUnused(key))) return false
      // The conditions are checked again in the statement that deletes: a purchase may have come in between.
      const gone = await transact(ledger, async (tx) => {
        await holdPlayer(tx, key)
        return tx.deleteFrom('player').where('key', '=', key).where(bare).executeTakeFirst()
      })
      if (gone.numDeletedRows !== 1n) return false
      // No name can contain `#`, so the next player with this name does not get these lives.
      const account = `${key}#${now()}`
      await db.updateTable('seat').set({ account }).where('account', '=', key).execute()
      await db.updateTable('life').set({ account }).where('account', '=', key).execute()
      return true
    },

    /** Frees a name whose first join failed, so that nobody was told its token. */
    forget: (key: string, token: string): Promise<void> =>
      transact(ledger, async (tx) => {
        await holdPlayer(tx, key)
        const hash = toTokenHash(token)
        const gone = await tx
          .deleteFrom('player')
          .where('key', '=', key)
          .where('token_hash', '=', hash)
          .where(ownsNothing)
          .executeTakeFirst()
        if (gone.numDeletedRows === 1n) return
        // A bought name whose reservation had run out: it can be taken again, with what was bought for it.
        await tx
          .updateTable('player')
          .set({ reserved_until: now() - 1 })
          .where('key', '=', key)
          .where('token_hash', '=', hash)
          .execute()
      }),

    /** The next names that may be freed, at most 100; begins again after the last one. */
    async next(): Promise<string[]> {
      const rows = await ledger
        .selectFrom('player')
        .select('key')
        .where('key', '>', lookedUpTo)
        .where(bare)
        .orderBy('key')
        .limit(namesPerLook)
        .execute()
      const keys = rows.map(({ key }) => key)
      lookedUpTo = keys.length < namesPerLook ? '' : (keys.at(-1) ?? '')
      return keys
    },
  }
}

export type UnusedNames = ReturnType<typeof makeUnusedNames>
