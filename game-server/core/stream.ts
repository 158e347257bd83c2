import { makeRng, type Rng, startRng } from './prng.ts'

/**
 * A random number stream of a world, by the rules of that world. Rules 1 reduced seed and name to 32 bits, which can be
 * found by brute force. They are kept only for worlds that began under them.
 */
export const makeStream = ({ rules, seed }: { rules: number; seed: string }, name: string): Rng =>
  rules === 1 ? makeFoldedRng(seed, name) : makeRng(seed, name)

function makeFoldedRng(seed: string, name: string): Rng {
  const next = spread(fold(`${seed}\u0000${name}`))
  return startRng([next(), next(), next(), next()])
}

/** The 32-bit hash to which rules 1 reduce a seed and the name of a stream. */
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
