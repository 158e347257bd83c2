import { clamp } from '../arithmetic.ts'
import { type Composition, circle } from './composition.ts'

/** A point of light printed in dots. */
export const halftone: Composition = ({ random, inks, region }) => {
  const { left, top, width, height } = region
  const step = height * 0.066
  const x0 = left + width * random.range(0.5, 0.75)
  const y0 = top + height * random.range(0.3, 0.6)
  const reach = Math.min(width, height * 1.3)
  const dots: string[] = []
  for (let y = top + step * 0.6; y < top + height; y += step) {
    for (let x = left + step * 0.6; x < left + width + step; x += step) {
      const near = clamp(1.12 - (Math.hypot(x - x0, y - y0) / reach) * 1.25)
      dots.push(circle(x, y, step * (0.47 * near ** 0.8 + 0.045), random.next() < 0.045 ? inks.accent : inks.ink))
    }
  }
  return dots.join('')
}
