import { inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { loadWorld } from '../core/save-world.ts'
import { type Command, step } from '../core/step.ts'
import { makeWorld, type World } from '../core/world.ts'
import { commandSchema } from '../protocol/command-schema.ts'
import type { RealmTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

const commandsSchema = z.array(commandSchema)

/** The first `count` commands of a realm, in their order. */
export async function readCommands(db: GameDatabase, realm: string, count?: number): Promise<Command[]> {
  const all = db.selectFrom('input_log').select(['first', 'commands']).where('realm', '=', realm).orderBy('first')
  const rows = await (count === undefined ? all : all.where('first', '<', count)).execute()
  return rows.flatMap(({ commands }) => commandsSchema.parse(JSON.parse(commands))).slice(0, count)
}

interface Loaded {
  readonly world: World
  readonly commands: number
  /** How many of them the snapshot is made of. */
  readonly snapshotCommands: number
}

/**
 * A world as it was after its last written command, made from the newest snapshot and the log behind it; from the log
 * alone, which is the truth, where the snapshot cannot be read.
 *
 * @throws Error that names the realm when its log cannot be read either
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
  try {
    return { world, snapshotCommands, commands: await goOn(db, id, world, snapshotCommands) }
  } catch (cause) {
    throw new Error(`realm ${id} cannot be loaded`, { cause })
  }
}

/** Carries out what was logged after a number of commands; answers how many there are then. */
async function goOn(db: GameDatabase, id: string, world: World, snapshotCommands: number): Promise<number> {
  let commands = snapshotCommands
  const tail = await db
    .selectFrom('input_log')
    .selectAll()
    .where('realm', '=', id)
    .where((where) => where.eb(where('first', '+', where.ref('count')), '>', snapshotCommands))
    .orderBy('first')
    .execute()
  for (const row of tail)
    for (const command of commandsSchema.parse(JSON.parse(row.commands)).slice(commands - row.first)) {
      step(world, command, [])
      commands++
    }
  return commands
}
