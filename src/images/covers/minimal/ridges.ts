import { type Composition, n } from './composition.ts'

const points = 90

/** Lines that rise over something hidden, each in front of the last. */
export const ridges: Composition = ({ random, inks, region }) => {
  const { left, top, width, height } = region
  const count = random.int(26, 36)
  const phase = random.range(0, 2 * Math.PI)
  const swing = random.range(1.2, 2.4)
  const middle = random.range(0.42, 0.6)
  const marked = Math.floor(count * random.range(0.4, 0.6))
  const right = left + width * 1.03
  const thin = Math.min(width * 1.6, height) * 0.0028
  return Array.from({ length: count }, (_, line) => {
    const level = top + height * (0.14 + (0.82 * line) / (count - 1))
    const near = Math.exp(-(((line / count - 0.55) / 0.36) ** 2))
    const path = Array.from({ length: points + 1 }, (_, point) => {
      const share = point / points
      const rise = Math.exp(-(((share - middle) / 0.22) ** 2)) * near
      const y = level - rise * height * 0.15 * (1 + 0.6 * Math.sin(share * 9 * swing + phase + line * 0.35))
      return `${point === 0 ? 'M' : 'L'}${n(left + (right - left) * share)} ${n(y)}`
    }).join('')
    const isMarked = line === marked
    const below = n(level + height * 0.22)
    return (
      `<path d="${path}L${n(right)} ${below}L${n(left)} ${below}Z" fill="${inks.paper}"/>` +
      `<path d="${path}" fill="none" stroke="${isMarked ? inks.accent : inks.ink}" stroke-width="${n(isMarked ? thin * 2.8 : thin)}"/>`
    )
  }).join('')
}
