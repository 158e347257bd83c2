import { makeRng, type Rng, startRng } from './prng.ts'

/**
 * The stream of a world, as the rules it was begun under make it. Rules 1 folded seed and name to 32 bits, which can be
 * tried one after the other: their worlds are lived to the end as they began, and no new one is made.
 */
export const makeStream = ({ rules, seed }: { rules: number; seed: string }, name: string): Rng =>
  rules === 1 ? makeFoldedRng(seed, name) : makeRng(seed, name)

function makeFoldedRng(seed: string, name: string): Rng {
  const next = spread(fold(`${seed}\u0000${name}`))
  return startRng([next(), next(), next(), next()])
}

/** All that rules 1 keep of a seed and the name of a stream. */
export function fold(text: string): number {
  let h = 1_779_033_703 ^ text.length
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3_432_918_353)
    h = (h << 13) | (h >>> 19)
  }
  return h
}

function spread(folded: number): () => number {
  let h = folded
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2_246_822_507)
    h = Math.imul(h ^ (h >>> 13), 3_266_489_909)
    h ^= h >>> 16
    return h >>> 0
  }
}
