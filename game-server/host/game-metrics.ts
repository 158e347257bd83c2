import { makeGauge } from '../../src/metrics/gauge.ts'
import type { Metric } from '../../src/metrics/metric.ts'
import type { Game } from '../sessions/game.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

interface Options {
  readonly game: Game
  readonly db: GameDatabase
  /** How many sockets are open. */
  readonly sockets: () => number
  readonly underWay: () => number
}

/** The gauges of the game host. */
export function makeGameMetrics({ game, db, sockets, underWay }: Options): readonly Metric[] {
  const players = { name: 'farthing_game_players', help: 'Characters that are alive and played now.' }
  const open = { name: 'farthing_game_sockets', help: 'Open sockets, of players and of spectators.' }
  const realms = { name: 'farthing_game_realms', help: 'Worlds that are loaded.' }
  const lag = { name: 'farthing_game_unwritten_commands', help: 'Commands of players that are not on disk yet.' }
  const unreadable = { name: 'farthing_game_unreadable_realms', help: 'Worlds whose logs are damaged, set aside.' }
  const purchases = { name: 'farthing_purchases_under_way', help: 'Paid requests that are not answered yet.' }
  return [
    makeGauge(players, () => [...game.sessions()].filter(({ isHere, isOver }) => isHere && !isOver).length),
    makeGauge(open, sockets),
    makeGauge(realms, () => [...game.realms()].length),
    makeGauge(lag, () => game.lag()),
    makeGauge(unreadable, () => countUnreadable(db)),
    makeGauge(purchases, underWay),
  ]
}

async function countUnreadable(db: GameDatabase): Promise<number> {
  const { count } = await db
    .selectFrom('realm')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('unreadable_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
