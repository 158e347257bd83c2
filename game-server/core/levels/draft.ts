import { cellCount } from '../grid.ts'
import type { Rng } from '../prng.ts'
import type { PlannedItem, PlannedMonster, PlannedTrap } from './level-plan.ts'

/** A level on the drawing board. */
export interface Draft {
  /** Under which it is drawn. */
  rules: number
  rng: Rng
  depth: number
  tiles: Uint8Array
  /** 1 where something stands already, or where a designed place must stay as it is. */
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
