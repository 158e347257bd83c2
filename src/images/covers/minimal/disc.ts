import { type Composition, circle, n, rectangle } from './composition.ts'

/** A large disc with a horizon, a companion or a dark half. */
export const disc: Composition = ({ random, inks, region }) => {
  const { left, top, width, height } = region
  const radius = Math.min(width, height) * random.range(0.36, 0.43)
  const x = left + width * random.range(0.54, 0.7)
  const y = top + height * random.range(0.46, 0.54)
  const sun = circle(x, y, radius, inks.accent)
  const kind = random.int(0, 2)
  if (kind === 0) {
    const line = Math.min(width, height) * 0.009
    const from = region.spansWidth ? left : x - radius * 1.25
    const level = y + radius * random.range(0.1, 0.45)
    return sun + rectangle(from, level, left + width - from, line, inks.ink)
  }
  if (kind === 1) {
    return (
      sun + circle(x - radius * random.range(0.7, 0.95), y + radius * random.range(0.4, 0.6), radius * 0.3, inks.ink)
    )
  }
  const reach = n(radius)
  return `${sun}<path d="M${n(x - radius)} ${n(y)} A${reach} ${reach} 0 0 0 ${n(x + radius)} ${n(y)} Z" fill="${inks.ink}"/>`
}
