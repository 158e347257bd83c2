import { rules } from '../core/world.ts'
import { newSeed } from '../realms/new-seed.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/**
 * The secret seed and the rules version of a day's dungeon, the same for everybody. Both are stored when the first
 * player asks, so that a new version of the program does not change a day that has begun.
 */
export async function getDaily(db: GameDatabase, day: string): Promise<{ seed: string; rules: number }> {
  await db
    .insertInto('daily')
    .values({ day, seed: newSeed(), rules })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  return db.selectFrom('daily').select(['seed', 'rules']).where('day', '=', day).executeTakeFirstOrThrow()
}
