/** Keeps a number between two others. */
export const clamp = (value: number, low = 0, high = 1): number => Math.max(low, Math.min(high, value))

/** Linear interpolation: `from` at share 0, `to` at share 1. */
export const mix = (from: number, to: number, share: number): number => from + (to - from) * share

/** 0 below the first edge, 1 above the second, an S-curve between them. */
export function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

/**
 * The length of a vector. Many times as fast as `Math.hypot`, which also handles overflow that pictures do not have.
 */
export const hypot = (x: number, y: number, z = 0): number => Math.sqrt(x * x + y * y + z * z)
