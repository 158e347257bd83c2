import { altarKinds } from './altar-kinds.ts'
import { cellCount } from './grid.ts'
import { chooseItem, makeItem } from './items/choose-item.ts'
import type { LevelPlan, MonsterRole, PlannedItem } from './levels/level-plan.ts'
import { chooseKind } from './monsters/choose-kind.ts'
import type { Post } from './monsters/kinds.ts'
import { spawn } from './monsters/spawn.ts'
import { below, type Rng } from './prng.ts'
import { makeStream } from './stream.ts'
import { T } from './tiles.ts'
import type { Level, World } from './world.ts'

const posts: Record<MonsterRole, Post> = {
  ambient: 'ambient',
  pack: 'pack',
  guard: 'ambient',
  'vault-guard': 'vault-guard',
  ambush: 'ambush',
  water: 'water',
  boss: 'boss',
}

/** Turns a plan into a level with monsters and items. It depends only on seed, depth and rules. */
export function stockLevel(world: World, plan: LevelPlan): Level {
  const rng = makeStream(world, `stock/${plan.depth}`)
  const level: Level = {
    depth: plan.depth,
    theme: plan.theme,
    tiles: plan.tiles,
    up: plan.up,
    down: plan.down,
    arrivals: plan.arrivals,
    returns: plan.returns,
    treasuries: new Set(plan.treasuries),
    occupants: new Int32Array(cellCount),
    piles: new Map(),
    traps: new Map(plan.traps.map(({ cell, kind }) => [cell, kind])),
    altars: new Map(),
    monsters: [],
    changes: [],
  }
  for (const { role, cell, isAsleep } of plan.monsters) {
    const kind = chooseKind(rng, world.rules, posts[role], plan.depth)
    spawn(world, level, kind, cell, isAsleep ? 'asleep' : 'idle')
  }
  const vaults = new Map<number, Set<number>>()
  for (const item of plan.items) layItem(rng, level, item, vaults)
  for (let cell = plan.tiles.indexOf(T.altar); cell !== -1; cell = plan.tiles.indexOf(T.altar, cell + 1))
    if (!level.piles.has(cell)) level.altars.set(cell, { kind: below(rng, altarKinds.length), taken: 0 })
  return level
}

/** Adds an item. A treasury is not given the same kind twice, unless 20 draws find no other. */
function layItem(
  rng: Rng,
  level: Level,
  { slot, cell, vault = 0 }: PlannedItem,
  vaults: Map<number, Set<number>>,
): void {
  const offered = vaults.get(vault) ?? new Set<number>()
  vaults.set(vault, offered)
  let kind = chooseItem(rng, slot, level.depth)
  for (let tries = 0; vault > 0 && offered.has(kind) && tries < 20; tries++) kind = chooseItem(rng, slot, level.depth)
  offered.add(kind)
  level.piles.set(cell, { ...makeItem(rng, kind, level.depth, vault > 0), taken: 0, vault })
}
