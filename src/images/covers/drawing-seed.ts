import type { CoverStyle } from '../../core/cover-styles.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/**
 * Part of every seed: raise it when a drawing changes so that one sees it. What only rounds differently keeps its
 * motif: pictures of posts stay what they were.
 */
export const engineVersion = 6

interface Seed {
  readonly title: string
  readonly style: CoverStyle
  readonly attempt: number
  /** Another picture of the same title for another one; the title's own when absent. */
  readonly seed?: number | undefined
}

/** The random numbers of a drawing. The key has no size in it, so one title has one motif and one palette in every shape. */
export function randomOf({ title, style, attempt, seed }: Seed): SeededRandom {
  const key = [title.normalize('NFC'), style, attempt, engineVersion]
  return seededRandom(JSON.stringify(seed === undefined ? key : [...key, seed]))
}
