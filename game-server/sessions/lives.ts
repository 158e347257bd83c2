import { type SelectQueryBuilder, sql } from 'kysely'
import type { Death } from '../protocol/dungeon.ts'
import type { GameSchema, LifeTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/** A kept life as anybody may read it: without whose account it was, and without its hash before it can be checked. */
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

/** Lives that are over. A cup's are shown once the cup is, by the cup itself. */
export function makeLives(db: GameDatabase) {
  const shown = () => db.selectFrom('life').selectAll().where('mode', '<>', 'cup')

  return {
    async find(id: string): Promise<Death | undefined> {
      const life = await shown().where('id', '=', id).executeTakeFirst()
      return life && toDeath(life)
    },

    /** The newest first. */
    async recent(limit: number): Promise<Death[]> {
      return (await shown().orderBy('at', 'desc').limit(limit).execute()).map(toDeath)
    },

    /** Each player's best life; equal scores are ranked by fewer turns, then by who was first. */
    async best({ kind, since, event, limit }: Board): Promise<Death[]> {
      let lives: SelectQueryBuilder<GameSchema, 'life', LifeTable> = shown()
      if (kind !== undefined) lives = lives.where('kind', '=', kind)
      if (since !== undefined) lives = lives.where('at', '>=', since)
      if (event !== undefined) lives = lives.where('event', '=', event)
      const ranked = lives.select(
        sql<number>`row_number() over (partition by account order by score desc, turn, at)`.as('place'),
      )
      const rows = await db
        .selectFrom(ranked.as('ranked'))
        .selectAll()
        .where('place', '=', 1)
        .orderBy('score', 'desc')
        .orderBy('turn')
        .orderBy('at')
        .limit(limit)
        .execute()
      return rows.map(toDeath)
    },
  }
}

export type Lives = ReturnType<typeof makeLives>
