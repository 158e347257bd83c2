import type { CoverStyle } from '../../core/cover-styles.ts'
import { abstracts } from '../motifs/abstracts.ts'
import { findMotif } from '../motifs/find-motif.ts'
import { type MotifName, motifs } from '../motifs/motifs.ts'
import { develop } from './develop.ts'
import { randomOf } from './drawing-seed.ts'
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
import { takePhotograph } from './photographic/take-photograph.ts'
import type { SeededRandom } from './seeded-random.ts'
import { paintThing } from './things/paint-thing.ts'

type Choices = readonly [Paint, ...Paint[]]
type Scenes = Readonly<Partial<Record<MotifName, Choices>>>

/** Motifs that have scenes of their own, by style. */
const illustrations: Scenes = {
  sea: [waves],
  mountain: [landscape],
  forest: [landscape],
  city: [city],
  planet: [orbits],
}

const photographs: Scenes = {
  sea: [sea],
  mountain: [mountain],
  forest: [forest],
  city: [cityLights],
}

/**
 * Paints a scene of its own for motifs that have one, otherwise the motif as a thing; without a motif, something
 * abstract.
 */
async function paintMotif(name: MotifName | undefined, sheet: PaintedSheet) {
  const { style, width, height, random } = sheet
  const isPhotograph = style === 'photographic'
  const scenes = name === undefined ? undefined : (isPhotograph ? photographs : illustrations)[name]
  const isPattern = name === undefined && !isPhotograph && random.next() < 0.6
  const choices = isPattern ? ([pattern, flow] as const) : scenes
  if (choices) {
    const paint = random.pick<Paint>(choices)
    if (isPhotograph) return await takePhotograph(paint, width, height, random)
    const { raster, finish, scene, alt } = paint(width, height, random)
    return { pixels: develop(raster, random, finish), scene, alt }
  }
  const thing = name === undefined ? random.pick(abstracts) : motifs[name]
  return { ...(await paintThing(thing, sheet)), scene: name ?? 'shapes' }
}

interface PaintedSheet {
  readonly style: Exclude<CoverStyle, 'editorial-minimal'>
  readonly width: number
  readonly height: number
  readonly random: SeededRandom
}

/** What to draw; width and height are in pixels. */
export interface ArtTask {
  readonly title: string
  readonly excerpt: string
  readonly style: CoverStyle
  readonly width: number
  readonly height: number
  /** What `editorial-minimal` sets into the picture, if the fonts have its letters. */
  readonly lettering?: Lettered | undefined
  readonly attempt: number
  /** A seed gives another picture of the same title; without one, the title alone decides. */
  readonly seed?: number | undefined
}

/** Words on a picture. */
export interface Lettered {
  readonly title: string
  /** Name of the publication, small, at the head. */
  readonly imprint?: string | undefined
  /** Colour of a label's rule and imprint, `#rrggbb`; copper when absent. */
  readonly accent?: string | undefined
}

/** A picture before it is encoded: 8-bit sRGB, three bytes per pixel. */
export interface Art {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  /** Name of the scene or motif. */
  readonly scene: string
  /** Alternative text. */
  readonly alt: string
}

/** Draws one picture. */
export async function paintArt({
  title,
  excerpt,
  style,
  width,
  height,
  lettering,
  attempt,
  seed,
}: ArtTask): Promise<Art> {
  const random = randomOf({ title, style, attempt, seed })
  const name = findMotif(title, excerpt)
  const art =
    style === 'editorial-minimal'
      ? await printMinimal({ width, height, random, motif: name, ...lettering })
      : await paintMotif(name, { style, width, height, random })
  return { ...art, width, height }
}
