/** Random numbers that follow from a text alone: the same seed, the same picture. */
export interface SeededRandom {
  /** A number in [0, 1). */
  readonly next: () => number
  readonly range: (low: number, high: number) => number
  /** A whole number, both ends included. */
  readonly int: (low: number, high: number) => number
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T
  readonly sign: () => -1 | 1
  /** A number of the standard normal distribution. */
  readonly gauss: () => number
}

/** Four 32-bit words of a text (xmur3). */
function wordsOf(text: string): () => number {
  let hash = 1779033703 ^ text.length
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 3432918353)
    hash = (hash << 13) | (hash >>> 19)
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2246822507)
    hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
    hash ^= hash >>> 16
    return hash >>> 0
  }
}

/** The sfc32 generator, seeded by a text. */
export function seededRandom(seed: string): SeededRandom {
  const word = wordsOf(seed)
  let [a, b, c, counter] = [word(), word(), word(), word()]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4294967296
  }
  for (let warmUp = 0; warmUp < 12; warmUp += 1) next()
  const range = (low: number, high: number) => low + (high - low) * next()
  return {
    next,
    range,
    int: (low, high) => Math.floor(range(low, high + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    sign: () => (next() < 0.5 ? -1 : 1),
    gauss: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}
