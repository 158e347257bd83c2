import { cellCount } from '../grid.ts'
import type { Rng } from '../prng.ts'
import type { PlannedItem, PlannedMonster, PlannedTrap } from './level-plan.ts'

/** A level while it is being generated. */
export interface Draft {
  /** The rules version under which it is generated. */
  rules: number
  rng: Rng
  depth: number
  tiles: Uint8Array
  /** 1 for cells that already hold something or must not be changed any more. */
  taken: Uint8Array
  treasuries: number[]
  monsters: PlannedMonster[]
  items: PlannedItem[]
  traps: PlannedTrap[]
  vaults: number
}

export const makeDraft = (rng: Rng, depth: number, rules: number): Draft => ({
  rules,
  rng,
  depth,
  tiles: new Uint8Array(cellCount),
  taken: new Uint8Array(cellCount),
  treasuries: [],
  monsters: [],
  items: [],
  traps: [],
  vaults: 0,
})
