import { inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { loadWorld } from '../core/save-world.ts'
import { type Command, step } from '../core/step.ts'
import { makeWorld, type World } from '../core/world.ts'
import { commandSchema } from '../protocol/command-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

const commandsSchema = z.array(commandSchema)

/** The first `count` commands of a realm, in their order. */
export async function readCommands(db: GameDatabase, realm: string, count?: number): Promise<Command[]> {
  const all = db.selectFrom('input_log').select(['first', 'commands']).where('realm', '=', realm).orderBy('first')
  const rows = await (count === undefined ? all : all.where('first', '<', count)).execute()
  return rows.flatMap(({ commands }) => commandsSchema.parse(JSON.parse(commands))).slice(0, count)
}

/** A world as it was after its last written command, made from the newest snapshot and the log behind it. */
export async function loadRealmWorld(
  db: GameDatabase,
  { id, seed, rules }: { id: string; seed: string; rules: number },
): Promise<{ world: World; commands: number; snapshotCommands: number }> {
  const snapshot = await db.selectFrom('snapshot').selectAll().where('realm', '=', id).executeTakeFirst()
  const world = snapshot ? loadWorld(inflateRawSync(snapshot.state).toString()) : makeWorld(seed, rules)
  const snapshotCommands = snapshot?.commands ?? 0
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
  return { world, commands, snapshotCommands }
}
