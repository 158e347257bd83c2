/** Counts the bits that are set in a 32-bit word: first in pairs, then in groups of four, then all at once. */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** The number of the lowest bit that is set; there must be one. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

/** The number of the highest bit that is set; there must be one. */
export const highestBit = (word: number): number => 31 - Math.clz32(word)

/** Sets a bit in an array of 32-bit words. */
export function setBit(words: Int32Array | Uint32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
}
