import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Realms } from '../realms/realms.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { EndLife } from './end-life.ts'

interface Options {
  readonly db: GameDatabase
  readonly realms: Pick<Realms, 'findLife'>
  readonly keeper: Pick<LogKeeper, 'flush'>
  readonly endLife: EndLife
}

/**
 * Ends every run of a cup that is still under way; false while another host has one, which ends it itself, and until
 * all of it that was played here is on disk, where the runs are read that are judged.
 */
export const makeEndCup =
  ({ db, realms, keeper, endLife }: Options) =>
  async (cup: string): Promise<boolean> => {
    const isKept = async () => (await keeper.flush()).every(({ event }) => event !== cup)
    // Who came in a moment ago is found only once that is on disk.
    if (!(await isKept())) return false
    const going = await db
      .selectFrom('seat')
      .innerJoin('realm', 'realm.id', 'seat.realm')
      .select(['seat.account'])
      .where('realm.mode', '=', 'cup')
      .where('realm.event', '=', cup)
      .where('seat.is_over', '=', 0)
      .execute()
    let isOver = true
    for (const { account } of going) {
      const session = await realms.findLife(account, 'cup', { event: cup })
      if (session && 'is' in session) isOver = false
      if (!session || 'is' in session) continue
      // A key that came since it was found may have ended it: a life has one end.
      if (!session.isOver) session.death = endLife(session, 'ran out of time')
      await session.death
    }
    return (await isKept()) && isOver
  }
