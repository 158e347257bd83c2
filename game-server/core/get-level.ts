import { generateLevel } from './levels/generate-level.ts'
import { stockLevel } from './stock-level.ts'
import type { Level, World } from './world.ts'

export const deepest = 12

/** The level at a depth, generated at its first use. */
export function getLevel(world: World, depth: number): Level {
  const known = world.levels.get(depth)
  if (known) return known
  const level = stockLevel(world, generateLevel(world.seed, depth, world.rules))
  world.levels.set(depth, level)
  return level
}
