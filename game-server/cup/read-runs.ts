import { readCommands, UnreadableLog } from '../realms/load-realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Claim } from './verify-run.ts'

/** A run: its log, and what the host recorded when it ended. */
export interface LoggedRun {
  readonly realm: string
  readonly owner: { key: string; name: string; kind: 'human' | 'agent' }
  readonly claim: Claim
  /** Why the log cannot be read; the claim has no commands then. */
  readonly damage: UnreadableLog | undefined
  readonly finishedAt: number
}

/** Every run of a cup, including runs whose logs are damaged. */
export async function readRuns(
  db: GameDatabase,
  cup: { id: string; commitment: string; closedAt: number },
): Promise<LoggedRun[]> {
  const rows = await db
    .selectFrom('realm')
    .innerJoin('seat', 'seat.realm', 'realm.id')
    .leftJoin('life', (join) => join.onRef('life.realm', '=', 'realm.id').onRef('life.player', '=', 'seat.player'))
    .leftJoin('snapshot', 'snapshot.realm', 'realm.id')
    .select(['realm.id', 'realm.seed', 'realm.rules', 'realm.unreadable_at', 'snapshot.commands as snapshotCommands'])
    .select(['seat.player', 'seat.account', 'seat.name', 'seat.kind'])
    .select(['life.hash', 'life.commands', 'life.at', 'life.cause', 'life.depth', 'life.turn', 'life.gold'])
    .select(['life.kills', 'life.score', 'life.has_won'])
    .where('realm.mode', '=', 'cup')
    .where('realm.event', '=', cup.id)
    .execute()
  return Promise.all(
    rows.map(async (row): Promise<LoggedRun> => {
      const { commands, damage } = await readLog(db, row)
      const { account: key, name, kind, rules, seed, player, cause, depth, turn, gold, kills, score } = row
      const hasLife =
        cause !== null && depth !== null && turn !== null && gold !== null && kills !== null && score !== null
      return {
        realm: row.id,
        owner: { key, name, kind },
        finishedAt: row.at ?? cup.closedAt,
        damage,
        claim: {
          rules,
          seed,
          name,
          player,
          commands,
          cup: { id: cup.id, commitment: cup.commitment },
          ...(row.hash !== null && { hash: row.hash }),
          ...(hasLife && { life: { name, kind, cause, depth, turn, gold, kills, score, hasWon: row.has_won === 1 } }),
        },
      }
    }),
  )
}

interface RunLog {
  readonly commands: Claim['commands']
  readonly damage: UnreadableLog | undefined
}

interface LogRow {
  readonly id: string
  readonly player: number
  readonly name: string
  /** How many commands the realm had when the life ended; null when no end was recorded. */
  readonly commands: number | null
  /** How many commands the snapshot includes, so that the log must have as many; null without a snapshot. */
  readonly snapshotCommands: number | null
  readonly unreadable_at: number | null
}

async function readLog(db: GameDatabase, row: LogRow): Promise<RunLog> {
  const { id, player, name, snapshotCommands } = row
  try {
    // Its player could not go on with the run, so it is not judged, even if the log can be read by now.
    if (row.unreadable_at !== null) throw new UnreadableLog(`realm ${id} was set aside`)
    const commands = await readCommands(db, id, row.commands ?? undefined)
    if (commands.filter(({ is }) => is === 'join').length < player)
      throw new UnreadableLog(`the log of realm ${id} ends before ${name} came`)
    if (row.commands === null && commands.length < (snapshotCommands ?? 0))
      throw new UnreadableLog(`the log of realm ${id} ends after ${commands.length} of ${snapshotCommands} commands`)
    return { commands, damage: undefined }
  } catch (error) {
    if (!(error instanceof UnreadableLog)) throw error
    return { commands: [], damage: error }
  }
}
