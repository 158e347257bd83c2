import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely'
import type { Death } from '../protocol/dungeon.ts'
import type { GameSchema, LifeTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/** The public form of a life: without the account, and without the hash, which belongs to the replay. */
export const toDeath = (life: LifeTable): Death => ({
  id: life.id,
  name: life.name,
  kind: life.kind,
  cause: life.cause,
  depth: life.depth,
  turn: life.turn,
  gold: life.gold,
  kills: life.kills,
  score: life.score,
  hasWon: life.has_won === 1,
  at: life.at,
  realm: life.realm,
  mode: life.mode,
  frame: life.frame,
  credits: life.credits,
})

/** Which lives a board compares; absent fields compare all. */
interface Board {
  readonly kind?: 'human' | 'agent'
  /** Milliseconds since 1970. */
  readonly since?: number
  /** A day's dungeon, such as `2026-11-22`, or a cup. */
  readonly event?: string
  readonly limit: number
}

/** How many lives one query for a board reads: enough to fill most boards. */
const livesPerLook = 200

/** The condition that a life comes after this one on a board. */
const isBehind =
  ({ score, turn, at, id }: LifeTable) =>
  ({ eb, and, or }: ExpressionBuilder<GameSchema, 'life'>) =>
    and([
      eb('score', '<=', score),
      or([
        eb('score', '<', score),
        eb('turn', '>', turn),
        and([eb('turn', '=', turn), or([eb('at', '>', at), and([eb('at', '=', at), eb('id', '>', id)])])]),
      ]),
    ])

/** Reads lives that are over, except for those of cups, which the cups show themselves once they are closed. */
export function makeLives(db: GameDatabase) {
  const shown = () => db.selectFrom('life').selectAll().where('mode', '<>', 'cup')

  return {
    /** A life, and whether its record is final. */
    async find(id: string): Promise<{ readonly death: Death; readonly isSettled: boolean } | undefined> {
      const life = await shown().where('id', '=', id).executeTakeFirst()
      return life && { death: toDeath(life), isSettled: life.unsettled_since === null }
    },

    /** The newest first. */
    async recent(limit: number): Promise<Death[]> {
      return (await shown().orderBy('at', 'desc').limit(limit).execute()).map(toDeath)
    },

    /** Each player's best life; equal scores are ranked by fewer turns, then by who was first. */
    async best({ kind, since, event, limit }: Board): Promise<Death[]> {
      const best = new Map<string, LifeTable>()
      for (let last: LifeTable | undefined; ; ) {
        let lives: SelectQueryBuilder<GameSchema, 'life', LifeTable> = shown()
        if (kind !== undefined) lives = lives.where('kind', '=', kind)
        if (since !== undefined) lives = lives.where('at', '>=', since)
        if (event !== undefined) lives = lives.where('event', '=', event)
        // Accounts that have a place are left out of the next query: some have a very large number of lives.
        if (last) lives = lives.where(isBehind(last)).where('account', 'not in', [...best.keys()])
        const ranked = lives.orderBy('score', 'desc').orderBy('turn').orderBy('at').orderBy('id')
        const rows = await ranked.limit(livesPerLook).execute()
        for (const life of rows) {
          if (!best.has(life.account)) best.set(life.account, life)
          if (best.size === limit) break
        }
        last = rows.at(-1)
        if (best.size === limit || rows.length < livesPerLook) return [...best.values()].map(toDeath)
        // Lets the event loop answer players between two queries.
        await setImmediate()
      }
    },
  }
}

export type Lives = ReturnType<typeof makeLives>
