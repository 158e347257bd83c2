import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { generateLevel } from '../../game-server/core/levels/generate-level.ts'
import type { LevelPlan } from '../../game-server/core/levels/level-plan.ts'
import { setPieces, treasuries } from '../../game-server/core/levels/vault-templates.ts'
import { T } from '../../game-server/core/tiles.ts'
import { figure, limitMs } from '../support/figures.ts'

const worlds = Array.from({ length: figure(100, 1000) }, (_, n) => `world-${n}`)
const depths = Array.from({ length: 12 }, (_, n) => n + 1)
/** The percentage of cells that are one of these tiles. */
const share = ({ tiles }: LevelPlan, ...wanted: readonly number[]): number =>
  (100 * tiles.filter((tile) => wanted.includes(tile)).length) / tiles.length

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

describe('a generated level', () => {
  it('keeps all its promises, in every world and at every depth', {
    timeout: limitMs(600_000, 600_000),
  }, async () => {
    const worker = new Worker(new URL('./find-level-faults.ts', import.meta.url), { workerData: worlds })
    expect(await once(worker, 'message')).toEqual([[]])
  })

  it('is the same for the same seed and differs for another seed', () => {
    for (const depth of depths) {
      expect(generateLevel('ada', depth)).toEqual(generateLevel('ada', depth))
      expect(generateLevel('ada', depth).tiles).not.toEqual(generateLevel('bo', depth).tiles)
    }
  })

  it('shows its depth by the tiles that it is made of', () => {
    const plansAt = (depth: number) => worlds.slice(0, 5).map((seed) => generateLevel(seed, depth))
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
  it.each([...treasuries, ...setPieces])('is rectangular and has one way in: $rows', ({ rows }) => {
    expect(new Set(rows.map((row) => row.length)).size).toBe(1)
    expect(rows.join('').match(/[^ #.+S'"w,~=:_t*f^?!$vgamp]/)).toBeNull()
    expect(rows.at(-1)?.match(/[+S']/g)).toHaveLength(1)
  })
})
