import { toCupScope } from '../../src/payments/ledger/grants.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { isKnownRules } from '../core/world.ts'
import { maxKeys, maxRunMs } from '../protocol/run-file.ts'
import type { CupAccess } from '../sessions/cup-access.ts'
import { toDice } from './cup-seed.ts'

/** The number in the id of a cup, such as 3 for `cup-3`; undefined when it is not such an id. */
export function readCupNumber(id: string): number | undefined {
  const digits = /^cup-([1-9]\d{0,8})$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Decides who may run in a cup, with which seed and limits. A player gets the same run at every return. */
export function makeCups({ db, now }: { db: LedgerDatabase; now: () => number }): CupAccess {
  const beginRun = async (cup: number, key: string): Promise<number> => {
    await db
      .insertInto('cup_run')
      .values({ cup, player_key: key, started_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const run = await db
      .selectFrom('cup_run')
      .select('started_at')
      .where('cup', '=', cup)
      .where('player_key', '=', key)
      .executeTakeFirstOrThrow()
    return run.started_at
  }

  return {
    async enter({ key }) {
      const cup = await db.selectFrom('cup').selectAll().where('state', '=', 'open').executeTakeFirst()
      if (!cup || cup.closes_at <= now()) return { is: 'closed' }
      if (!isKnownRules(cup.rules)) return { is: 'newer' }
      const event = toCupScope(cup.number)
      const entry = await db
        .selectFrom('entitlement')
        .select('scope')
        .where('player_key', '=', key)
        .where('entitlement', '=', 'agent_cup_entry')
        .where('scope', '=', event)
        .executeTakeFirst()
      if (!entry) return { is: 'no-entry' }
      const startedAt = await beginRun(cup.number, key)
      return {
        is: 'entered',
        venue: { mode: 'cup', event, seed: cup.seed, rules: cup.rules, dice: toDice(cup.seed, key) },
        limits: { keys: maxKeys, at: Math.min(startedAt + maxRunMs, cup.closes_at) },
      }
    },

    async isRevealed(id) {
      const number = readCupNumber(id)
      if (number === undefined) return false
      const cup = await db.selectFrom('cup').select('verified_at').where('number', '=', number).executeTakeFirst()
      return cup !== undefined && cup.verified_at !== null
    },
  }
}
