import { randomBytes } from 'node:crypto'
import type { GameDatabase } from '../storage/open-game-database.ts'

/** The UTC day of a time, such as `2026-11-22`. */
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The secret seed that everybody plays on this day; drawn when the first player asks. */
export async function getDailySeed(db: GameDatabase, day: string): Promise<string> {
  await db
    .insertInto('daily')
    .values({ day, seed: randomBytes(16).toString('hex') })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  const { seed } = await db.selectFrom('daily').select('seed').where('day', '=', day).executeTakeFirstOrThrow()
  return seed
}
