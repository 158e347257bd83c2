import { offsets } from '../grid.ts'
import { below, pick } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import type { Flood } from './flood.ts'
import type { TrapKind } from './level-plan.ts'
import { pickGround } from './pick-ground.ts'

const kinds: readonly { kind: TrapKind; from: number; to: number }[] = [
  { kind: 'dart', from: 1, to: 12 },
  { kind: 'net', from: 1, to: 12 },
  { kind: 'alarm', from: 1, to: 12 },
  { kind: 'trapdoor', from: 2, to: 11 },
  { kind: 'gas', from: 3, to: 12 },
  { kind: 'teleport', from: 4, to: 12 },
  { kind: 'fire', from: 5, to: 12 },
]

/** Hides traps on open ground, where players can walk around them; never in a passage or near the arrival. */
export function placeTraps(draft: Draft, walked: Flood): void {
  const { rng, tiles, depth } = draft
  const possible = kinds.filter(({ from, to }) => depth >= from && depth <= to)
  for (let left = 1 + below(rng, 2) + Math.floor(depth / 3); left > 0; left--) {
    const cell = pickGround(draft, walked)
    const isOpen = offsets.every((offset) => tiles[cell + offset] !== T.wall && tiles[cell + offset] !== T.door)
    if (!isOpen || (walked.distance[cell] ?? 0) < 8) continue
    tiles[cell] = T.hiddenTrap
    draft.taken[cell] = 1
    draft.traps.push({ kind: pick(rng, possible).kind, cell })
  }
}
