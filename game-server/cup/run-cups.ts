import { type Log, toLogText } from '../../src/core/log.ts'
import { toCupScope } from '../../src/payments/ledger/grants.ts'
import type { CupTable } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { knownRules } from '../core/world.ts'
import type { Game } from '../sessions/game.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { closeCup } from './close-cup.ts'

const lookEveryMs = 2000

interface Options {
  readonly db: LedgerDatabase
  readonly gameDb: GameDatabase
  readonly game: Pick<Game, 'endCup'>
  readonly log: Log
  readonly now: () => number
}

/** Ends the remaining runs of cups whose time is over, and closes these cups, for as long as the host runs. */
export function runCups({ db, gameDb, game, log, now }: Options): { stop(): Promise<void> } {
  const ended = new Set<number>()
  let looking: Promise<void> = Promise.resolve()

  const report = (error: unknown): void => log('server.error', { error: toLogText(error) })

  async function end({ number, verified_at }: Pick<CupTable, 'number' | 'verified_at'>): Promise<void> {
    // Runs of a cup that was closed while this host was down are ended, too: its seed is public.
    if (!ended.has(number) && !(await game.endCup(toCupScope(number)))) return
    if (verified_at === null) await closeCup({ db, gameDb, now, report }, number)
    ended.add(number)
  }

  const look = async (): Promise<void> => {
    const over = await db
      .selectFrom('cup')
      .select(['number', 'verified_at'])
      .where('closes_at', '<=', now())
      // A cup that was played under other rules waits for a version that knows them.
      .where('rules', 'in', knownRules)
      .orderBy('number')
      .execute()
    // A cup that cannot be ended yet does not hold up the others.
    for (const cup of over) await end(cup).catch(report)
  }

  const timer = setInterval(() => {
    looking = looking.then(look).catch(report)
  }, lookEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
