import { shuffleLooks } from './items/looks.ts'
import type { Theme, TrapKind } from './levels/level-plan.ts'
import type { Rng } from './prng.ts'
import { makeStream } from './stream.ts'

/** The current rules version. Raise it with every change of a command's effects: logs are replayed under their own. */
export const rules = 2

/** The rules versions that can be played on and replayed. */
export const knownRules: readonly number[] = Array.from({ length: rules }, (_, index) => index + 1)

export const isKnownRules = (given: number): boolean => knownRules.includes(given)

/** The state of a dungeon: plain data, integers only, no clock, so that the same commands give the same world. */
export interface World {
  rules: number
  seed: string
  /** The number of commands so far. */
  seq: number
  nextMonster: number
  /** For every kind of item, the number of the look that it has in this world until it is identified. */
  looks: number[]
  players: Map<number, Player>
  levels: Map<number, Level>
}

/** An item. `power` is its enchantment, the charges left, or the turns until a charm is ready. */
export interface Carried {
  kind: number
  count: number
  power: number
}

/** An item on a cell, which each player can take once: `taken` is a bit mask of the players who have. */
export interface Pile extends Carried {
  taken: number
  /** A player may take only one of all piles with the same number above 0. */
  vault: number
}

export interface Altar {
  /** Its index in `altarKinds`. */
  kind: number
  /** A bit mask of the players who have used it. */
  taken: number
}

export type Mood = 'asleep' | 'idle' | 'hunting'

/** The state of a monster's hunt for one player. Time that a player gives it is spent only on that player. */
export interface Hunt {
  player: number
  /** Time that this player's turns have given it; 100 is one turn. */
  energy: number
  /** The state of its habit: whether it has warned, the cell that it watches, or the turns until its next use. */
  mark: number
}

export interface Monster {
  id: number
  kind: number
  cell: number
  /** The cell where it was spawned. */
  home: number
  hp: number
  mood: Mood
  hunts: Hunt[]
  isHidden: boolean
  /** How many turns it is stunned, flees, or is slowed for. */
  stunned: number
  scared: number
  slowed: number
  /** Whether it has used what it does only once. */
  isSpent: boolean
  /** Stolen items, and the number of the player who owned them. */
  loot: Carried[]
  owner: number
}

export interface Level {
  depth: number
  theme: Theme
  tiles: Uint8Array
  up: number
  /** 0 on the last level, which has no stairs down. */
  down: number
  arrivals: number[]
  returns: number[]
  /** Cells of guarded treasuries, into which exploring and teleports never lead. */
  treasuries: ReadonlySet<number>
  /** By cell: a monster's id, or minus the lowest number of the players there, or 0. Derived from the other fields. */
  occupants: Int32Array
  piles: Map<number, Pile>
  traps: Map<number, TrapKind>
  altars: Map<number, Altar>
  monsters: Monster[]
  /** The cells whose tiles changed, in order, so that viewers who have been sent them are sent them again. */
  changes: number[]
}

export interface Player {
  id: number
  name: string
  kind: 'human' | 'agent'
  depth: number
  cell: number
  hp: number
  maxHp: number
  strength: number
  gold: number
  kills: number
  turn: number
  deepest: number
  weapon: Carried
  armour: Carried
  pack: Carried[]
  hasAmulet: boolean
  /** Turns left of each status, in the order of `statusNames`. */
  statuses: number[]
  /** Progress to the next point of natural healing. */
  healing: number
  /** Turns spent on each depth; hunters are sent after certain numbers of them. */
  stays: number[]
  /** 1 for every kind of item that this player has identified. */
  identified: number[]
  /** The cells that the player knows on each depth, as bit sets. */
  known: Map<number, Uint32Array>
  dice: Rng
  isHere: boolean
  /** How the life ended; empty while it lasts. */
  ending: string
  hasWon: boolean
}

/**
 * A new world without players. Levels are generated when they are first needed, from the seed and the rules alone.
 *
 * @throws RangeError when these rules are not known
 */
export function makeWorld(seed: string, byRules = rules): World {
  if (!isKnownRules(byRules)) throw new RangeError(`there are no rules ${byRules} here, only ${knownRules.join(', ')}`)
  return {
    rules: byRules,
    seed,
    seq: 0,
    nextMonster: 1,
    looks: shuffleLooks(makeStream({ rules: byRules, seed }, 'looks')),
    players: new Map(),
    levels: new Map(),
  }
}

/**
 * The player with this number.
 *
 * @throws RangeError when there is none
 */
export function getPlayer(world: World, id: number): Player {
  const player = world.players.get(id)
  if (!player) throw new RangeError(`no player ${id} in this world`)
  return player
}

export const isAlive = (player: Player): boolean => player.ending === ''
