import { hashWorld } from './hash-world.ts'
import { type Command, type GameEvent, step } from './step.ts'
import { makeWorld, type World } from './world.ts'

/** How many commands lie between two checkpoints. */
const stride = 100

interface Replayed {
  world: World
  hash: string
  /** The hash after every hundred commands. */
  checkpoints: string[]
}

/**
 * Replays a log from the beginning.
 *
 * @throws RangeError when these rules are not known
 */
export function replay(seed: string, commands: readonly Command[], byRules: number): Replayed {
  const world = makeWorld(seed, byRules)
  const checkpoints: string[] = []
  const events: GameEvent[] = []
  for (const command of commands) {
    events.length = 0
    step(world, command, events)
    if (world.seq % stride === 0) checkpoints.push(hashWorld(world))
  }
  return { world, hash: hashWorld(world), checkpoints }
}
