/** Random numbers of one stream (sfc32): 128 bits of state, whole numbers only. */
export interface Rng {
  a: number
  b: number
  c: number
  d: number
}

function hashText(text: string): () => number {
  let h = 1_779_033_703 ^ text.length
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3_432_918_353)
    h = (h << 13) | (h >>> 19)
  }
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2_246_822_507)
    h = Math.imul(h ^ (h >>> 13), 3_266_489_909)
    h ^= h >>> 16
    return h >>> 0
  }
}

/** The stream called `stream` of a seed. Streams never touch, so a fight cannot change what a level looks like. */
export function makeRng(seed: string, stream: string): Rng {
  const next = hashText(`${seed}\u0000${stream}`)
  const rng = { a: next(), b: next(), c: next(), d: next() }
  for (let i = 0; i < 12; i++) nextU32(rng)
  return rng
}

function nextU32(rng: Rng): number {
  const sum = (((rng.a + rng.b) | 0) + rng.d) | 0
  rng.d = (rng.d + 1) | 0
  rng.a = rng.b ^ (rng.b >>> 9)
  rng.b = (rng.c + (rng.c << 3)) | 0
  rng.c = (rng.c << 21) | (rng.c >>> 11)
  rng.c = (rng.c + sum) | 0
  return sum >>> 0
}

/** A whole number from 0 to n - 1; exact for every n below 2^21. */
export const below = (rng: Rng, n: number): number => Math.floor((nextU32(rng) * n) / 4_294_967_296)

/** A whole number from `lo` to `hi`, both included. */
export const between = (rng: Rng, lo: number, hi: number): number => lo + below(rng, hi - lo + 1)

export const chance = (rng: Rng, percent: number): boolean => below(rng, 100) < percent

export function pick<T>(rng: Rng, choices: readonly T[]): T {
  const choice = choices[below(rng, choices.length)]
  if (choice === undefined) throw new RangeError('nothing to pick from')
  return choice
}
