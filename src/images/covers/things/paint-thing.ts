import type { CoverStyle } from '../../../core/cover-styles.ts'
import type { Motif } from '../../motifs/shape.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { cutPaper } from './paper-cut.ts'
import { pickScheme } from './schemes.ts'
import { setStage } from './stage.ts'
import { stipple } from './stipple.ts'

interface Sheet {
  readonly style: Exclude<CoverStyle, 'editorial-minimal'>
  readonly width: number
  readonly height: number
  readonly random: SeededRandom
}

/** Paints a motif as a thing: with stippled shades (illustration), or cut out of paper (photographic). */
export async function paintThing(thing: Motif, { style, width, height, random }: Sheet) {
  const stage = setStage(thing, pickScheme(thing.tone, random), { width, height }, random)
  return style === 'photographic'
    ? { pixels: await cutPaper(stage, random), alt: `Rendered paper cut of ${thing.alt}` }
    : { pixels: await stipple(stage, random), alt: `Illustration of ${thing.alt}` }
}
