export type Theme = 'cellars' | 'crypts' | 'caves' | 'works' | 'warrens' | 'chasms' | 'undercroft'

/**
 * The role of a monster; its kind is chosen by role and depth when the level is stocked.
 * - `ambient`: anywhere; `pack`: those with the same `pack` number belong together
 * - `guard`: awake at a chokepoint or over a prize; `vault-guard`: beside a treasury's pedestals
 * - `ambush`: at a dead end or among statues; `water`: in deep water; `boss`: one, at depths 4, 8 and 12
 */
export type MonsterRole = 'ambient' | 'pack' | 'guard' | 'vault-guard' | 'ambush' | 'water' | 'boss'

/** `vault`: every player may take one of the items that share the same vault number. */
export type ItemSlot = 'gold' | 'random' | 'enchant' | 'healing' | 'weapon' | 'armour' | 'vault' | 'amulet' | 'life'

export type TrapKind = 'dart' | 'gas' | 'net' | 'alarm' | 'fire' | 'teleport' | 'trapdoor'

export interface PlannedMonster {
  role: MonsterRole
  cell: number
  isAsleep: boolean
  pack?: number
}

export interface PlannedItem {
  slot: ItemSlot
  cell: number
  vault?: number
}

export interface PlannedTrap {
  kind: TrapKind
  cell: number
}

/** A generated level before it is stocked. Cells are y * width + x. */
export interface LevelPlan {
  depth: number
  theme: Theme
  tiles: Uint8Array
  /** The stairs up; on depth 1 the way out. */
  up: number
  /** The stairs down; 0 (a cell that is always wall) on depth 12, which has none. */
  down: number
  /** Where players appear when they come down, the nearest to the stairs first: at least 16 cells, all kept clear. */
  arrivals: number[]
  /** The same for players who come up. */
  returns: number[]
  /** The cells of treasuries; exploring and teleports never lead there, because guardians attack visitors. */
  treasuries: number[]
  monsters: PlannedMonster[]
  items: PlannedItem[]
  traps: PlannedTrap[]
}
