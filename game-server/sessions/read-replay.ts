import { toUtcDate } from '../../src/core/utc-date.ts'
import type { Command } from '../core/step.ts'
import type { Death } from '../protocol/dungeon.ts'
import { readCommands } from '../realms/load-realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { CupAccess } from './cup-access.ts'
import { toDeath } from './lives.ts'

/** Everything that proves a life: whoever replays it comes to the same hash. */
export interface ReplayFile {
  readonly life: Death
  readonly rules: number
  readonly seed: string
  /** Whose life it is, of those in the realm. */
  readonly player: number
  readonly hash: string
  readonly commands: readonly Command[]
}

interface Options {
  readonly db: GameDatabase
  readonly cups: Pick<CupAccess, 'isRevealed'>
  readonly now: () => number
}

/** Whether somebody still lives in a day's dungeon: each has a realm, and all have one seed. */
const isStillPlayed = async (db: GameDatabase, day: string | null): Promise<boolean> =>
  (await db
    .selectFrom('realm')
    .select('id')
    .where('mode', '=', 'daily')
    .where('event', '=', day)
    .where('closed_at', 'is', null)
    .executeTakeFirst()) !== undefined

/** `secret` while somebody could still use the seed: in the realm, in that day's dungeon, in that cup. */
export async function readReplay({ db, cups, now }: Options, id: string): Promise<ReplayFile | 'unknown' | 'secret'> {
  const found = await db
    .selectFrom('life')
    .innerJoin('realm', 'realm.id', 'life.realm')
    .selectAll('life')
    .select(['realm.seed', 'realm.rules', 'realm.closed_at'])
    .where('life.id', '=', id)
    .executeTakeFirst()
  if (!found) return 'unknown'
  if (found.closed_at === null) return 'secret'
  if (found.mode === 'daily' && (found.event === toUtcDate(now()) || (await isStillPlayed(db, found.event))))
    return 'secret'
  if (found.mode === 'cup' && !(await cups.isRevealed(found.event ?? ''))) return 'secret'
  const { seed, rules, player, hash } = found
  const commands = await readCommands(db, found.realm, found.commands)
  return { life: toDeath(found), rules, seed, player, hash, commands }
}
