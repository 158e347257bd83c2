import { getLevel } from '../../game-server/core/get-level.ts'
import { legalKeys } from '../../game-server/core/legal-keys.ts'
import { liftPlayer, putPlayer } from '../../game-server/core/place.ts'
import { below, makeRng, pick, type Rng } from '../../game-server/core/prng.ts'
import { type Command, type GameEvent, step } from '../../game-server/core/step.ts'
import { isAlive, makeWorld, type Player, type World } from '../../game-server/core/world.ts'

interface Party {
  readonly seed: string
  readonly players: number
  readonly commands: number
  /** The depth at which the party starts; below the first level with enough health to look around. */
  readonly depth?: number
  /** Wraps the execution of every command. */
  readonly around?: (world: World, command: Command, run: () => void) => void
}

const restless = ['o', 'o', 'o', 'o', '>', '>', '>', 'f', 'f', 'g', 'R', '.', 'S', 'c', 'x', '<']
const ways = ['north', 'east', 'south', 'west', 'northeast', 'southeast', 'southwest', 'northwest']
const slots = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0']

/** A key that a careless player might press: mostly exploring, sometimes anything. */
export function pressAnything(rng: Rng, world: World, id: number): string {
  const luck = below(rng, 100)
  if (luck < 45) return pick(rng, restless)
  if (luck < 60) return pick(rng, slots)
  if (luck < 95) return pick(rng, ways)
  return pick(rng, [{ key: '.' }, ...legalKeys(world, id)]).key
}

/** Plays a party of mixed speed: the first player acts least often, the last most. Returns the log of commands. */
export function playParty({ seed, players, commands, depth = 1, around = (_world, _command, run) => run() }: Party) {
  const world = makeWorld(seed)
  const rng = makeRng(seed, 'party')
  const log: Command[] = []
  const events: GameEvent[] = []
  const run = (command: Command) => {
    events.length = 0
    log.push(command)
    around(world, command, () => step(world, command, events))
  }
  for (let i = 1; i <= players; i++) run({ is: 'join', name: `p${i}`, kind: i % 2 === 0 ? 'human' : 'agent' })
  if (depth > 1) for (const player of world.players.values()) sendDown(world, player, depth)
  for (let i = 0; i < commands; i++) {
    const eager = [...world.players.values()].filter(isAlive).flatMap(({ id }) => Array.from({ length: id }, () => id))
    if (eager.length === 0) break
    const player = pick(rng, eager)
    if (below(rng, 60) === 0) run({ is: 'leave', player })
    else run({ is: 'key', player, key: pressAnything(rng, world, player) })
  }
  return { world, log }
}

function sendDown(world: World, player: Player, depth: number): void {
  liftPlayer(world, player)
  player.hp = 400
  putPlayer(world, player, depth, getLevel(world, depth).arrivals[0] ?? 0)
}
