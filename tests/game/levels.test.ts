import { describe, expect, it } from 'vitest'
import { anyWay, flood, makeFlood, plainWay } from '../../game-server/core/levels/flood.ts'
import { generateLevel } from '../../game-server/core/levels/generate-level.ts'
import type { ItemSlot, LevelPlan } from '../../game-server/core/levels/level-plan.ts'
import { setPieces, treasuries } from '../../game-server/core/levels/vault-templates.ts'
import { T } from '../../game-server/core/tiles.ts'
import { figure, limitMs } from '../support/figures.ts'

const worlds = Array.from({ length: figure(100, 1000) }, (_, n) => `world-${n}`)
const depths = Array.from({ length: 12 }, (_, n) => n + 1)
const rim = Array.from({ length: 3200 }, (_, cell) => cell).filter(
  (cell) => cell % 80 === 0 || cell % 80 === 79 || cell < 80 || cell >= 3120,
)
const plain = makeFlood()
const any = makeFlood()

/** What is wrong with a level, in words; nothing if it keeps every promise. */
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
    'has its healing': count('healing') === 2,
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

/** Of all cells the share in percent that is one of these. */
const share = ({ tiles }: LevelPlan, ...wanted: readonly number[]): number =>
  (100 * tiles.filter((tile) => wanted.includes(tile)).length) / tiles.length

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

describe('a generated level', () => {
  it('keeps what every level promises, in every world and at every depth', {
    timeout: limitMs(30_000, 300_000),
  }, () => {
    const faults = worlds.flatMap((seed) =>
      depths.flatMap((depth) => findFaults(generateLevel(seed, depth)).map((fault) => `${seed}: ${fault}`)),
    )
    expect(faults).toEqual([])
  })

  it('is the same for the same seed and another one for another seed', () => {
    for (const depth of depths) {
      expect(generateLevel('ada', depth)).toEqual(generateLevel('ada', depth))
      expect(generateLevel('ada', depth).tiles).not.toEqual(generateLevel('bo', depth).tiles)
    }
  })

  it('is known by its depth from what it is made of', () => {
    const plansAt = (depth: number) => worlds.slice(0, 15).map((seed) => generateLevel(seed, depth))
    const typical = (depth: number, measure: (plan: LevelPlan) => number) => median(plansAt(depth).map(measure))
    const water = (plan: LevelPlan) => share(plan, T.deepWater, T.water, T.bridge)
    const growth = (plan: LevelPlan) => share(plan, T.grass, T.tallGrass, T.fungus)
    const doors = (plan: LevelPlan) => share(plan, T.door)
    const chasm = (plan: LevelPlan) => share(plan, T.chasm)
    const open = (plan: LevelPlan) => share(plan, T.floor, T.rubble)
    expect(typical(3, water)).toBeGreaterThan(4 * typical(1, water) + 5)
    expect(typical(5, growth)).toBeGreaterThan(2 * typical(3, growth) + 5)
    expect(typical(7, open)).toBeGreaterThan(1.25 * typical(1, open))
    expect(typical(9, open)).toBeLessThan(0.8 * typical(7, open))
    expect(typical(9, doors)).toBeLessThan(0.3 * typical(1, doors))
    expect(typical(10, chasm)).toBeGreaterThan(typical(9, chasm) + 4)
    expect(typical(12, open)).toBeGreaterThan(1.2 * typical(10, open))
  })
})

describe('a hand-made place', () => {
  it.each([...treasuries, ...setPieces])('is drawn straight and has one way in: $rows', ({ rows }) => {
    expect(new Set(rows.map((row) => row.length)).size).toBe(1)
    expect(rows.join('').match(/[^ #.+S'"w,~=:_t*f^?!$vgamp]/)).toBeNull()
    expect(rows.at(-1)?.match(/[+S']/g)).toHaveLength(1)
  })
})
