import type { CoverStyle } from '../../core/cover-styles.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/**
 * Part of every seed: raise it when drawings change visibly. A change of rounding alone does not need it, so that the
 * pictures of existing posts keep their motifs.
 */
export const engineVersion = 6

interface Seed {
  readonly title: string
  readonly style: CoverStyle
  readonly attempt: number
  /** A seed gives another picture of the same title; without one, the title alone decides. */
  readonly seed?: number | undefined
}

/**
 * The random numbers of a drawing. They do not depend on its size: a title has one motif and palette in every shape.
 */
export function randomOf({ title, style, attempt, seed }: Seed): SeededRandom {
  const key = [title.normalize('NFC'), style, attempt, engineVersion]
  return seededRandom(JSON.stringify(seed === undefined ? key : [...key, seed]))
}
