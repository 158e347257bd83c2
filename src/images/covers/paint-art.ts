import type { CoverStyle } from '../../core/cover-styles.ts'
import { type Subject, subjectOf } from './choose-scene.ts'
import { develop } from './develop.ts'
import { city } from './illustration/city.ts'
import { flow } from './illustration/flow.ts'
import { landscape } from './illustration/landscape.ts'
import { orbits } from './illustration/orbits.ts'
import { pattern } from './illustration/pattern.ts'
import { waves } from './illustration/waves.ts'
import { printMinimal } from './minimal/print-minimal.ts'
import type { Paint } from './painting.ts'
import { cityLights } from './photographic/city-lights.ts'
import { forest } from './photographic/forest.ts'
import { mountain } from './photographic/mountain.ts'
import { sea } from './photographic/sea.ts'
import { seededRandom } from './seeded-random.ts'

type Choices = readonly [Paint, ...Paint[]]

const illustrations: Readonly<Record<Subject | 'any', Choices>> = {
  sea: [waves],
  mountain: [landscape],
  forest: [landscape],
  city: [city],
  space: [orbits, flow, pattern],
  any: [pattern, flow, landscape],
}

const photographs: Readonly<Record<Subject | 'any', Choices>> = {
  sea: [sea],
  mountain: [mountain],
  forest: [forest],
  city: [cityLights],
  space: [mountain, sea, cityLights],
  any: [mountain, sea, forest, cityLights],
}

/** The scenes that suit a subject in a painted style. */
const paintingsFor = (style: Exclude<CoverStyle, 'editorial-minimal'>, subject: Subject | undefined): Choices =>
  (style === 'photographic' ? photographs : illustrations)[subject ?? 'any']

/**
 * Part of every seed: raise it when a drawing changes so that one sees it. What only rounds differently keeps its
 * motif: pictures of posts stay what they were.
 */
const engineVersion = 5

/** What is drawn, and how large, in pixels. */
export interface ArtTask {
  readonly title: string
  readonly excerpt: string
  readonly style: CoverStyle
  readonly width: number
  readonly height: number
  /** What `editorial-minimal` sets into the picture, where its letters are at hand. */
  readonly lettering?: Lettered | undefined
  readonly attempt: number
}

/** Words on a picture. */
export interface Lettered {
  readonly title: string
  /** The publication, small, at the head. */
  readonly imprint?: string | undefined
  /** Of a label's rule and imprint, `#rrggbb`; copper when absent. */
  readonly accent?: string | undefined
}

/** A picture before it is encoded: 8-bit sRGB, three bytes per pixel. */
export interface Art {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  /** What is drawn, in a word or two. */
  readonly scene: string
  /** For those who do not see it. */
  readonly alt: string
}

/** Draws one picture. The seed has no size in it, so one title has one motif and one palette in every shape. */
export async function paintArt({ title, excerpt, style, width, height, lettering, attempt }: ArtTask): Promise<Art> {
  const random = seededRandom(JSON.stringify([title.normalize('NFC'), style, attempt, engineVersion]))
  if (style === 'editorial-minimal') {
    return { ...(await printMinimal({ width, height, random, ...lettering })), width, height }
  }
  const painting = random.pick(paintingsFor(style, subjectOf(title, excerpt)))
  const { raster, finish, scene, alt } = painting(width, height, random)
  return { pixels: develop(raster, random, finish), width, height, scene, alt }
}
