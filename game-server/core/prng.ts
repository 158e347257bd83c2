import { hmacSha256 } from './sha256.ts'

/** The state of one random number stream (sfc32): 128 bits, as four 32-bit integers. */
export interface Rng {
  a: number
  b: number
  c: number
  d: number
}

const encoder = new TextEncoder()

/**
 * The stream named `stream` of a seed. Streams are independent, so that a fight cannot change what a level looks like.
 *
 * Its first state is 128 bits of HMAC-SHA-256 with the seed as the key. sfc32 is not cryptographic: an observer of
 * enough output may compute the rest of this stream, but not the seed nor other streams. Each level, its contents and
 * each player's dice have streams of their own.
 */
export function makeRng(seed: string, stream: string): Rng {
  const state = new DataView(hmacSha256(encoder.encode(seed), encoder.encode(`undercroft ${stream}`)).buffer)
  return startRng([0, 4, 8, 12].map((at) => state.getInt32(at)))
}

/** A stream with the given first state. */
export function startRng([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Rng {
  const rng = { a, b, c, d }
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
