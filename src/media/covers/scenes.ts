import type { CoverStyle } from '../../cover-styles.ts'
import type { Subject } from './choose-scene.ts'
import { landscape } from './illustration/landscape.ts'
import { pattern } from './illustration/pattern.ts'
import { waves } from './illustration/waves.ts'
import type { Paint } from './painting.ts'
import { cityLights } from './photographic/city-lights.ts'
import { sea } from './photographic/sea.ts'

type Choices = readonly [Paint, ...Paint[]]

const illustrations: Readonly<Record<Subject | 'any', Choices>> = {
  sea: [waves],
  mountain: [landscape],
  forest: [landscape],
  city: [pattern],
  space: [pattern],
  any: [pattern, landscape, waves],
}

const photographs: Readonly<Record<Subject | 'any', Choices>> = {
  sea: [sea],
  mountain: [sea],
  forest: [sea],
  city: [cityLights],
  space: [cityLights],
  any: [sea, cityLights],
}

/** The scenes that suit a subject in a painted style. */
export const paintingsFor = (style: Exclude<CoverStyle, 'editorial-minimal'>, subject: Subject | undefined): Choices =>
  (style === 'photographic' ? photographs : illustrations)[subject ?? 'any']
