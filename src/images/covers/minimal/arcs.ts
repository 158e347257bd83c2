import { type Composition, circle } from './composition.ts'

/** Rings that grow out of a corner. */
export const arcs: Composition = ({ random, inks, region }) => {
  const { left, top, width, height, spansWidth } = region
  const count = random.int(7, 11)
  const reach = spansWidth ? Math.max(width * 0.62, height * 0.98) : height * random.range(0.66, 0.86)
  const x = left + width
  const y = top + height * random.pick([0, 1])
  return Array.from({ length: count }, (_, ring) => {
    const fill = ring % 2 === 1 ? inks.paper : ring % 4 === 0 ? inks.accent : inks.ink
    return circle(x, y, (reach * (count - ring)) / count, fill)
  }).join('')
}
