import type { Mode, Refusal } from '../protocol/dungeon.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { refuse } from './press-key.ts'

interface Options {
  readonly db: GameDatabase
  readonly now: () => number
}

/** Told to a player whose cup run cannot be read. The entry is returned when the cup is closed. */
export const lostRun =
  'the log of this run cannot be read, which is our fault: when the cup ends, your entry counts for the next one'

/** What a player may do after a lost life, by the mode in which it was lived. */
const ways: Readonly<Record<Mode, string>> = {
  open: 'join again to begin a new life',
  daily: 'you have one life a day, so join again with mode open, or join tomorrow’s daily dungeon',
  cup: 'when the cup has ended, your entry counts for the next one; until then join again with mode open',
}

/** Lives in worlds that were set aside because their logs cannot be read. */
export function makeLostLives({ db, now }: Options) {
  return {
    /** The message about lives that an account lost, in any mode unless one is given; undefined once it was told. */
    async tell(account: string, mode?: Mode): Promise<Refusal | undefined> {
      const lost = await db
        .selectFrom('seat')
        .innerJoin('realm', 'realm.id', 'seat.realm')
        .select(['seat.realm', 'realm.mode'])
        .where('seat.account', '=', account)
        .where('seat.is_over', '=', 0)
        .where('seat.told_at', 'is', null)
        .where('realm.unreadable_at', 'is not', null)
        .$if(mode !== undefined, (query) => query.where('realm.mode', '=', mode ?? 'open'))
        .orderBy('seat.joined_at', 'desc')
        .execute()
      const [last] = lost
      if (!last) return undefined
      await db
        .updateTable('seat')
        .set({ told_at: now() })
        .where('account', '=', account)
        .where(
          'realm',
          'in',
          lost.map(({ realm }) => realm),
        )
        .execute()
      return refuse(
        'life_lost',
        `the log of your last life cannot be read, which is our fault; you keep what you own and have earned, and the operator can look at the log; ${ways[last.mode]}`,
      )
    },
  }
}

export type LostLives = ReturnType<typeof makeLostLives>
