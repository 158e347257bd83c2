import { shuffleLooks } from './items/looks.ts'
import type { Theme, TrapKind } from './levels/level-plan.ts'
import type { Rng } from './prng.ts'
import { makeStream } from './stream.ts'

/** Grows with every change of what a command leads to: a log is replayed by the rules it was played by. */
export const rules = 2

/** Those under which worlds are still lived to the end, and lived again. */
export const knownRules: readonly number[] = Array.from({ length: rules }, (_, index) => index + 1)

export const isKnownRules = (given: number): boolean => knownRules.includes(given)

/** A seed and what was done with it. Plain data, whole numbers, no clock: the same commands give the same world. */
export interface World {
  rules: number
  seed: string
  /** Commands so far. */
  seq: number
  nextMonster: number
  /** For every kind of item the number of the look it hides behind in this world. */
  looks: number[]
  players: Map<number, Player>
  levels: Map<number, Level>
}

/** Something one can carry. `power` is an enchantment, charges left, or turns until a charm is ready. */
export interface Carried {
  kind: number
  count: number
  power: number
}

/** What lies on a cell, for everybody once: `taken` has a bit for each player who has had theirs. */
export interface Pile extends Carried {
  taken: number
  /** Of all piles with the same number above 0 a player may take one. */
  vault: number
}

export interface Altar {
  /** Which bargain it offers. */
  kind: number
  /** A bit for each player who has struck it. */
  taken: number
}

export type Mood = 'asleep' | 'idle' | 'hunting'

/** What a monster keeps of each player it hunts: nobody's time is spent on somebody else. */
export interface Hunt {
  player: number
  /** Time it has been given by this player; 100 buys it one turn. */
  energy: number
  /** Where its habit is: a warning given, a place watched, turns until the next trick. */
  mark: number
}

export interface Monster {
  id: number
  kind: number
  cell: number
  /** Where it came into the world. */
  home: number
  hp: number
  mood: Mood
  hunts: Hunt[]
  isHidden: boolean
  /** Turns of its own that it loses, flees, or is slow for. */
  stunned: number
  scared: number
  slowed: number
  /** Has done what it does once in a life. */
  isSpent: boolean
  /** What it stole, and whose it was. */
  loot: Carried[]
  owner: number
}

export interface Level {
  depth: number
  theme: Theme
  tiles: Uint8Array
  up: number
  /** 0 where nothing leads further down. */
  down: number
  arrivals: number[]
  returns: number[]
  /** Cells where one is struck for looking around: entered on purpose, never by exploring. */
  treasuries: ReadonlySet<number>
  /** Who stands where: a monster's number, or the lowest of the players' below zero. Follows from the rest. */
  occupants: Int32Array
  piles: Map<number, Pile>
  traps: Map<number, TrapKind>
  altars: Map<number, Altar>
  monsters: Monster[]
  /** The cells whose tiles changed, in order: who has seen them is shown them again. */
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
  /** Counts up to the next point that heals by itself. */
  healing: number
  /** Turns spent on each depth: the longer, the likelier somebody comes asking. */
  stays: number[]
  /** 1 for every kind of item whose look this player has seen through. */
  identified: number[]
  /** Cells seen on each depth, a bit each. */
  known: Map<number, Uint32Array>
  dice: Rng
  isHere: boolean
  /** How the life ended; empty while it lasts. */
  ending: string
  hasWon: boolean
}

/**
 * A dungeon nobody has entered. Levels come into being when somebody goes there, always the same ones.
 *
 * @throws RangeError when the rules are none of those that are known here
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

/** The player with a number that is known to exist. */
export function getPlayer(world: World, id: number): Player {
  const player = world.players.get(id)
  if (!player) throw new RangeError(`no player ${id} in this world`)
  return player
}

export const isAlive = (player: Player): boolean => player.ending === ''
