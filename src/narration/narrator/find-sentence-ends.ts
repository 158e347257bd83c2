import type { Share } from '../plan/plan-narration.ts'

const hopSeconds = 0.02
/** Hops over which loudness is averaged: a pause is at least about this long. */
const pauseHops = 7
/** How far from its estimated place the end of a sentence is searched: a share of its length, within these bounds. */
const reach = { part: 0.25, leastSeconds: 0.4, mostSeconds: 3 } as const
/**
 * How much quieter a pause at the edge of the search range must be than one at the estimated place, as a share of the
 * mean loudness.
 */
const distanceWeight = 0.15

/** Mean amplitude of each hop. */
function loudnessOf(pcm: Int16Array, hop: number): number[] {
  return Array.from({ length: Math.floor(pcm.length / hop) }, (_, index) => {
    let sum = 0
    for (let place = index * hop; place < (index + 1) * hop; place += 1) sum += Math.abs(pcm[place] ?? 0)
    return sum / hop
  })
}

/**
 * Where the sentences of one utterance end, each as a share of the whole: in the pauses nearest to the places that
 * their estimated lengths suggest. The last is 1.
 */
export function findSentenceEnds(pcm: Int16Array, rate: number, shares: readonly Pick<Share, 'seconds'>[]): number[] {
  const hop = Math.round(hopSeconds * rate)
  const loudness = loudnessOf(pcm, hop)
  const usual = loudness.reduce((sum, each) => sum + each, 0) / Math.max(1, loudness.length)
  const around = (center: number): number => {
    const window = loudness.slice(Math.max(0, center - (pauseHops >> 1)), center + (pauseHops >> 1) + 1)
    return window.reduce((sum, each) => sum + each, 0) / Math.max(1, window.length)
  }
  let foreseen = shares.reduce((sum, { seconds }) => sum + seconds, 0)
  let start = 0
  return shares.map(({ seconds }, index) => {
    if (index === shares.length - 1) return 1
    // After each sentence the remaining time is divided again, so that errors do not add up.
    const length = ((loudness.length - start) * seconds) / foreseen
    foreseen -= seconds
    const bounds = [reach.leastSeconds, reach.mostSeconds].map((bound) => bound / hopSeconds)
    const far = Math.min(bounds[1] ?? 0, Math.max(bounds[0] ?? 0, length * reach.part))
    const expected = start + length
    let best = { place: Math.round(expected), cost: Number.POSITIVE_INFINITY }
    for (let place = Math.max(start + 1, Math.round(expected - far)); place <= expected + far; place += 1) {
      if (place >= loudness.length) break
      const cost = around(place) + (usual * distanceWeight * Math.abs(place - expected)) / far
      if (cost < best.cost) best = { place, cost }
    }
    start = Math.min(best.place, loudness.length)
    return start / Math.max(1, loudness.length)
  })
}
