import { randomOf } from './covers/drawing-seed.ts'
import { palettes } from './covers/minimal/palettes.ts'
import { pickScheme } from './covers/things/schemes.ts'
import { findMotif } from './motifs/find-motif.ts'
import { motifs } from './motifs/motifs.ts'
import type { DeferredPicture } from './open-deferred-pictures.ts'

type Wanted = Pick<DeferredPicture, 'width' | 'height' | 'drawing'>

/** A placeholder until a picture is drawn: SVG of its size, in colours of its style, mostly those of the drawing. */
export function drawStandIn({ width, height, drawing }: Wanted): string {
  const [from, to] = coloursOf(drawing.task.source)
  const stops = `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<linearGradient id="g" x2="1" y2="1">${stops}</linearGradient><rect width="100%" height="100%" fill="url(#g)"/></svg>`
  )
}

/** The colours that the drawing will have: a drawing picks its palette before any other random choice. */
function coloursOf({ title, excerpt, style }: Wanted['drawing']['task']['source']): readonly [string, string] {
  const random = randomOf({ title, style, attempt: 0 })
  if (style === 'editorial-minimal') {
    const { paper, tint } = random.pick(palettes)
    return [paper, tint]
  }
  const name = findMotif(title, excerpt)
  const [, middle, pale] = pickScheme(name ? motifs[name].tone : 'any', random).ground
  return [pale, middle]
}
