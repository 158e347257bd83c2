import { rules } from '../core/world.ts'
import { newSeed } from '../realms/new-seed.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/**
 * The secret seed that everybody plays on this day, and by which rules, so that a new version of the program changes
 * nobody's day; drawn when the first player asks.
 */
export async function getDaily(db: GameDatabase, day: string): Promise<{ seed: string; rules: number }> {
  await db
    .insertInto('daily')
    .values({ day, seed: newSeed(), rules })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  return db.selectFrom('daily').select(['seed', 'rules']).where('day', '=', day).executeTakeFirstOrThrow()
}
