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
 * Ends every run of a cup that is still under way on this host. Resolves to true once no other host has one (each host
 * ends its own) and everything played here is on disk, from where the runs are read for judging.
 */
export const makeEndCup =
  ({ db, realms, keeper, endLife }: Options) =>
  async (cup: string): Promise<boolean> => {
    const isKept = async () => (await keeper.flush()).every(({ event }) => event !== cup)
    // A run that began a moment ago is found below only once it is on disk.
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
      // A key may have ended it since it was found, and a life ends only once.
      if (!session.isOver) session.death = endLife(session, 'ran out of time')
      await session.death
    }
    return (await isKept()) && isOver
  }
