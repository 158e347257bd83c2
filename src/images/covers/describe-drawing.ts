import type { CoverStyle } from '../../core/cover-styles.ts'
import { findMotif } from '../motifs/find-motif.ts'
import { type MotifName, motifs } from '../motifs/motifs.ts'

type Words = Readonly<Partial<Record<MotifName, string>>>

/** Alternative texts of motifs that have scenes of their own; each is true of every drawing of the motif. */
const illustrated: Words = {
  sea: 'Illustration of a low sun over rows of waves',
  mountain: 'Illustration of hills',
  forest: 'Illustration of hills',
  city: 'Illustration of a city',
  planet: 'Illustration of planets on their paths around a sun',
}

const photographed: Words = {
  sea: 'Rendered seascape',
  mountain: 'Rendered landscape of mountains around a lake',
  forest: 'Rendered landscape of conifers',
  city: 'Rendered city lights at night, out of focus',
}

/** The alternative text of a drawing. It is known before the drawing exists and true for every attempt. */
export function describeDrawing(title: string, excerpt: string, style: CoverStyle): string {
  const name = findMotif(title, excerpt)
  switch (style) {
    case 'editorial-minimal':
      return name === undefined ? 'Plain shapes in flat colour' : `${toSentence(motifs[name].alt)} in flat colour`
    case 'illustration':
      if (name === undefined) return 'Illustration of plain shapes'
      return illustrated[name] ?? `Illustration of ${motifs[name].alt}`
    case 'photographic':
      if (name === undefined) return 'Rendered paper cut of plain shapes'
      return photographed[name] ?? `Rendered paper cut of ${motifs[name].alt}`
  }
}

const toSentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
