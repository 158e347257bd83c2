/** The state of one random stream (sfc32): four 32-bit integers, so that it can be saved with the world. */
export interface Rng {
  a: number
  b: number
  c: number
  d: number
}

/** A stream of its own for every purpose: what one of them draws never moves another. */
export function makeRng(seed: string, stream: string): Rng {
  const text = `${seed}\u0000${stream}`
  let h = 1779033703 ^ text.length
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353)
    h = (h << 13) | (h >>> 19)
  }
  const mix = () => {
    h = Math.imul(h ^ (h >>> 16), 2246822507)
    h = Math.imul(h ^ (h >>> 13), 3266489909)
    h ^= h >>> 16
    return h >>> 0
  }
  const rng = { a: mix(), b: mix(), c: mix(), d: mix() }
  for (let i = 0; i < 12; i++) nextU32(rng)
  return rng
}

export function nextU32(rng: Rng): number {
  const t = (((rng.a + rng.b) | 0) + rng.d) | 0
  rng.d = (rng.d + 1) | 0
  rng.a = rng.b ^ (rng.b >>> 9)
  rng.b = (rng.c + (rng.c << 3)) | 0
  rng.c = (rng.c << 21) | (rng.c >>> 11)
  rng.c = (rng.c + t) | 0
  return t >>> 0
}

/** An integer from 0 to n-1; exact in doubles for n below 2^21. */
export const below = (rng: Rng, n: number): number => Math.floor((nextU32(rng) * n) / 4294967296)

export const between = (rng: Rng, lo: number, hi: number): number => lo + below(rng, hi - lo + 1)

export const chance = (rng: Rng, percent: number): boolean => below(rng, 100) < percent

export function pick<T>(rng: Rng, from: readonly T[]): T {
  const picked = from[below(rng, from.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
