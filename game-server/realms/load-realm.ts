import { inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { loadWorld } from '../core/save-world.ts'
import { type Command, step } from '../core/step.ts'
import { makeWorld, type World } from '../core/world.ts'
import { commandSchema } from '../protocol/command-schema.ts'
import type { InputLogTable, RealmTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

const commandsSchema = z.array(commandSchema)

/** The log of a realm is damaged, so that a retry cannot help; a database that fails throws other errors. */
export class UnreadableLog extends Error {
  override readonly name = 'UnreadableLog'
}

type LogRow = Pick<InputLogTable, 'first' | 'count' | 'commands'>

function readRow(realm: string, { first, count, commands: text }: LogRow): Command[] {
  let commands: Command[]
  try {
    commands = commandsSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new UnreadableLog(`what stands in the log of realm ${realm} from command ${first} on is none`, { cause })
  }
  if (commands.length !== count)
    throw new UnreadableLog(`the log of realm ${realm} has ${commands.length} of ${count} commands from ${first} on`)
  return commands
}

/** @throws UnreadableLog where a row does not begin where the one before it ended */
export function assertNext(realm: string, { first }: Pick<LogRow, 'first'>, next: number): void {
  if (first !== next)
    throw new UnreadableLog(`the log of realm ${realm} goes on with command ${first} where ${next} should be`)
}

/**
 * The commands in the rows of a log, beginning with number `from`, which lies in the first row.
 *
 * @throws UnreadableLog when it reaches a gap or a row that cannot be parsed
 */
function* commandsIn(realm: string, rows: readonly LogRow[], from: number): Generator<Command> {
  let next = from
  for (const row of rows) {
    if (row !== rows[0] || row.first > from) assertNext(realm, row, next)
    yield* readRow(realm, row).slice(next - row.first)
    next = row.first + row.count
  }
}

/**
 * The first `count` commands of a realm, in their order; all of them without `count`.
 *
 * @throws UnreadableLog when some of them are missing or damaged
 */
export async function readCommands(db: GameDatabase, realm: string, count?: number): Promise<Command[]> {
  const all = db.selectFrom('input_log').select(['first', 'count', 'commands']).where('realm', '=', realm)
  const some = count === undefined ? all : all.where('first', '<', count)
  const commands = [...commandsIn(realm, await some.orderBy('first').execute(), 0)].slice(0, count)
  if (count !== undefined && commands.length < count)
    throw new UnreadableLog(`the log of realm ${realm} ends after ${commands.length} of ${count} commands`)
  return commands
}

interface Loaded {
  readonly world: World
  readonly commands: number
  /** How many of them the snapshot includes. */
  readonly snapshotCommands: number
}

/**
 * A world as it was after its last written command: the newest snapshot with the later part of the log replayed. A
 * snapshot that cannot be read is reported and the whole log replayed, because only the log is authoritative.
 *
 * @throws UnreadableLog that names the realm when its log cannot be read or replayed
 */
export async function loadRealmWorld(
  db: GameDatabase,
  realm: Pick<RealmTable, 'id' | 'seed' | 'rules'>,
  report: (error: unknown) => void,
): Promise<Loaded> {
  const { id, seed, rules } = realm
  const snapshot = await db.selectFrom('snapshot').selectAll().where('realm', '=', id).executeTakeFirst()
  let world = makeWorld(seed, rules)
  let snapshotCommands = 0
  if (snapshot)
    try {
      world = loadWorld(inflateRawSync(snapshot.state).toString())
      snapshotCommands = snapshot.commands
    } catch (cause) {
      report(new Error(`the snapshot of realm ${id} cannot be read; its log is replayed`, { cause }))
    }
  const tail = await db
    .selectFrom('input_log')
    .select(['first', 'count', 'commands'])
    .where('realm', '=', id)
    .where((where) => where.eb(where('first', '+', where.ref('count')), '>', snapshotCommands))
    .orderBy('first')
    .execute()
  try {
    return { world, snapshotCommands, commands: goOn(id, world, tail, snapshotCommands) }
  } catch (cause) {
    throw cause instanceof UnreadableLog ? cause : new UnreadableLog(`realm ${id} cannot be lived again`, { cause })
  }
}

/** Replays the commands that the log has after the snapshot; returns how many commands the world includes then. */
function goOn(id: string, world: World, tail: readonly LogRow[], snapshotCommands: number): number {
  let commands = snapshotCommands
  for (const command of commandsIn(id, tail, snapshotCommands)) {
    step(world, command, [])
    commands++
  }
  return commands
}
