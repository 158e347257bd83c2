import { chance, pick, type Rng } from '../prng.ts'
import { type MonsterKind, monsterKinds, monsterNumber, type Post } from './kinds.ts'

const fits = (kind: MonsterKind, post: Post, depth: number): boolean =>
  kind.post === post && depth >= kind.from && depth <= kind.to

/** A kind that can hold a post at a depth. Now and then somebody from one depth further down is out for a walk. */
export function chooseKind(rng: Rng, post: Post, depth: number): number {
  const reach = post === 'ambient' && depth < 12 && chance(rng, 8) ? depth + 1 : depth
  const able = monsterKinds.filter((kind) => fits(kind, post, reach))
  return monsterNumber((able.length > 0 ? pick(rng, able) : pick(rng, ambientAt(depth))).id)
}

const ambientAt = (depth: number): readonly MonsterKind[] => monsterKinds.filter((kind) => fits(kind, 'ambient', depth))
