import type { Finish } from './develop.ts'
import type { Raster } from './raster.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A picture in linear light, how to develop it, and what it shows. */
export interface Painting {
  readonly raster: Raster
  readonly finish: Finish
  readonly scene: string
  readonly alt: string
}

/** Paints a scene at any size. The same random numbers give the same scene. */
export type Paint = (width: number, height: number, random: SeededRandom) => Painting
