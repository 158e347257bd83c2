// Run as a worker of the test: plain Node.js is several times as fast with these loops as a transformed module.
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { anyWay, flood, makeFlood, plainWay } from '../../game-server/core/levels/flood.ts'
import { generateLevel } from '../../game-server/core/levels/generate-level.ts'
import type { ItemSlot, LevelPlan } from '../../game-server/core/levels/level-plan.ts'
import { T } from '../../game-server/core/tiles.ts'

const worlds = z.array(z.string()).parse(workerData)
const depths = Array.from({ length: 12 }, (_, n) => n + 1)
const rim = Array.from({ length: 3200 }, (_, cell) => cell).filter(
  (cell) => cell % 80 === 0 || cell % 80 === 79 || cell < 80 || cell >= 3120,
)
const plain = makeFlood()
const any = makeFlood()

/** Faults of a level, in words; empty if the level keeps every promise. */
function findFaults(plan: LevelPlan): string[] {
  const { depth, tiles, up, down, items, monsters, traps, arrivals, returns } = plan
  flood(tiles, up, plainWay, plain)
  flood(tiles, up, anyWay, any)
  const isWalked = (cell: number) => plain.distance[cell] !== -1
  const isReached = (cell: number) => any.distance[cell] !== -1
  const count = (wanted: ItemSlot) => items.filter(({ slot }) => slot === wanted).length
  const cells = [...items, ...monsters, ...traps].map(({ cell }) => cell)
  const metered = items.filter(({ slot }) => !['gold', 'random', 'vault'].includes(slot))
  const promises: Record<string, boolean> = {
    'has its stairs': tiles[up] === T.stairsUp && (depth === 12 ? down === 0 : tiles[down] === T.stairsDown),
    'joins its stairs without search or swim': depth === 12 || isWalked(down),
    'is big enough': plain.count >= 500,
    'is walled in': rim.every((cell) => tiles[cell] === T.wall),
    'has one enchantment': count('enchant') === 1,
    'has its healing': count('healing') === (depth % 2 === 1 ? 2 : 1),
    'has life at every third depth': depth % 3 !== 0 || count('life') === 1,
    'has the Amulet at the end and nowhere else': count('amulet') === (depth === 12 ? 1 : 0),
    'leaves what it owes on the open way': metered.every(({ cell }) => isWalked(cell)),
    'leaves nothing where nobody comes': cells.every(isReached),
    'puts one thing on one cell': new Set(cells).size === cells.length,
    'receives sixteen players': arrivals.length >= 16 && arrivals.every(isWalked),
    'receives those who come back': depth === 12 || (returns.length >= 16 && returns.every(isWalked)),
    'lets everybody look around first': monsters.every(
      ({ cell }) => !isWalked(cell) || (plain.distance[cell] ?? 0) > 8,
    ),
    'hides every trap it planned': traps.every(({ cell }) => tiles[cell] === T.hiddenTrap),
  }
  return Object.entries(promises).flatMap(([promise, isKept]) => (isKept ? [] : [`depth ${depth} not: ${promise}`]))
}

parentPort?.postMessage(
  worlds.flatMap((seed) =>
    depths.flatMap((depth) => findFaults(generateLevel(seed, depth)).map((fault) => `${seed}: ${fault}`)),
  ),
)
