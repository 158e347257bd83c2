import { itemKinds, kindNumber } from './items/kinds.ts'
import { statusNames } from './status.ts'
import { makeStream } from './stream.ts'
import type { Player, World } from './world.ts'

/** How many players can join a world: each pile of loot has a bit mask of players. */
export const mostPlayers = 16

interface Newcomer {
  readonly name: string
  readonly kind: 'human' | 'agent'
  /** The seed of this player's dice, where it must not be the world's. */
  readonly dice?: string | undefined
}

/** A new player, not placed on a level yet. */
export function makePlayer(world: World, { name, kind, dice = world.seed }: Newcomer): Player {
  const id = world.players.size + 1
  const known = [kindNumber('healing'), kindNumber('enchanting'), kindNumber('life')]
  return {
    id,
    name,
    kind,
    depth: 1,
    cell: 0,
    hp: 40,
    maxHp: 40,
    strength: 11,
    gold: 0,
    kills: 0,
    turn: 0,
    deepest: 1,
    weapon: { kind: kindNumber('knife'), count: 1, power: 0 },
    armour: { kind: kindNumber('coat'), count: 1, power: 0 },
    pack: [{ kind: kindNumber('healing'), count: 2, power: 0 }],
    hasAmulet: false,
    statuses: statusNames.map(() => 0),
    healing: 0,
    stays: [],
    identified: itemKinds.map((_, number) => (known.includes(number) ? 1 : 0)),
    known: new Map(),
    dice: makeStream({ rules: world.rules, seed: dice }, `dice/${id}`),
    isHere: true,
    ending: '',
    hasWon: false,
  }
}
