import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { toUtcDate } from '../../src/core/utc-date.ts'
import { commandSchema } from '../protocol/command-schema.ts'
import type { Death } from '../protocol/dungeon.ts'
import { assertNext } from '../realms/load-realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { CupAccess } from './cup-access.ts'
import { toDeath } from './lives.ts'

/** The fields of a replay file before its commands: replaying these with `seed` and `rules` must lead to `hash`. */
interface ReplayHead {
  readonly life: Death
  readonly rules: number
  readonly seed: string
  /** The number of the life's player in the realm. */
  readonly player: number
  readonly hash: string
}

export interface Replay extends ReplayHead {
  /** Whether the record of the life is final. */
  readonly isSettled: boolean
  /** The file as JSON in pieces, `commands` last, because a life may have a million keys and others play meanwhile. */
  readonly pieces: AsyncIterable<string>
}

interface Options {
  readonly db: GameDatabase
  readonly cups: Pick<CupAccess, 'isRevealed'>
  readonly now: () => number
}

/** Whether anybody still plays a day's dungeon: each player has a realm, and all realms share one seed. */
const isStillPlayed = async (db: GameDatabase, day: string | null): Promise<boolean> =>
  (await db
    .selectFrom('realm')
    .select('id')
    .where('mode', '=', 'daily')
    .where('event', '=', day)
    .where('closed_at', 'is', null)
    .executeTakeFirst()) !== undefined

/** The replay of a life; `secret` while its seed could still help somebody in the realm, that day's dungeon or cup. */
export async function readReplay({ db, cups, now }: Options, id: string): Promise<Replay | 'unknown' | 'secret'> {
  const found = await db
    .selectFrom('life')
    .innerJoin('realm', 'realm.id', 'life.realm')
    .selectAll('life')
    .select(['realm.seed', 'realm.rules', 'realm.closed_at', 'realm.unreadable_at'])
    .where('life.id', '=', id)
    .executeTakeFirst()
  if (!found) return 'unknown'
  // Play goes on in a realm that was set aside, once its log can be read again.
  if (found.closed_at === null || found.unreadable_at !== null) return 'secret'
  if (found.mode === 'daily' && (found.event === toUtcDate(now()) || (await isStillPlayed(db, found.event))))
    return 'secret'
  if (found.mode === 'cup' && !(await cups.isRevealed(found.event ?? ''))) return 'secret'
  const { seed, rules, player, hash } = found
  const head = { life: toDeath(found), rules, seed, player, hash }
  return { ...head, isSettled: found.unsettled_since === null, pieces: toPieces(db, head, found) }
}

/** Log rows per piece: a few milliseconds of work. */
const rowsPerPiece = 250
const commandsSchema = z.array(commandSchema)

async function* toPieces(
  db: GameDatabase,
  head: ReplayHead,
  { realm, commands }: { realm: string; commands: number },
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"commands":[`
  for (let next = 0; next < commands; ) {
    const rows = await db
      .selectFrom('input_log')
      .select(['first', 'count', 'commands'])
      .where('realm', '=', realm)
      .where('first', '>=', next)
      .where('first', '<', commands)
      .orderBy('first')
      .limit(rowsPerPiece)
      .execute()
    if (rows.length === 0) throw new Error(`the log of ${realm} ends after ${next} of ${commands} commands`)
    // The rows are JSON already; only the last one may have commands after the end of the life.
    const isFirst = next === 0
    const texts = rows.map(({ first, count, commands: text }) => {
      assertNext(realm, { first }, next)
      next = first + count
      return next <= commands ? text : JSON.stringify(commandsSchema.parse(JSON.parse(text)).slice(0, commands - first))
    })
    yield (isFirst ? '' : ',') + texts.map((text) => text.slice(1, -1)).join(',')
    await setImmediate()
  }
  yield ']}'
}
