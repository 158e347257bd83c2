import { chance, pick, type Rng } from '../prng.ts'
import { livesUnder, type MonsterKind, monsterKinds, monsterNumber, type Post } from './kinds.ts'

/** A random monster kind for a post at a depth; ambient ones are sometimes of the next depth. */
export function chooseKind(rng: Rng, rules: number, post: Post, depth: number): number {
  const kindsAt = (wanted: Post, at: number): readonly MonsterKind[] =>
    monsterKinds.filter((kind) => kind.post === wanted && at >= kind.from && at <= kind.to && livesUnder(rules, kind))
  const reach = post === 'ambient' && depth < 12 && chance(rng, 8) ? depth + 1 : depth
  const able = kindsAt(post, reach)
  return monsterNumber(pick(rng, able.length > 0 ? able : kindsAt('ambient', depth)).id)
}
