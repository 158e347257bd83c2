import type { CoverStyle } from '../../core/cover-styles.ts'
import type { Subject } from './choose-scene.ts'
import { city } from './illustration/city.ts'
import { flow } from './illustration/flow.ts'
import { landscape } from './illustration/landscape.ts'
import { orbits } from './illustration/orbits.ts'
import { pattern } from './illustration/pattern.ts'
import { waves } from './illustration/waves.ts'
import type { Paint } from './painting.ts'
import { cityLights } from './photographic/city-lights.ts'
import { forest } from './photographic/forest.ts'
import { mountain } from './photographic/mountain.ts'
import { sea } from './photographic/sea.ts'

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
export const paintingsFor = (style: Exclude<CoverStyle, 'editorial-minimal'>, subject: Subject | undefined): Choices =>
  (style === 'photographic' ? photographs : illustrations)[subject ?? 'any']
