import { clamp, hypot } from '../arithmetic.ts'
import { type Composition, circle, n, rectangle } from './composition.ts'

const points = 90

/** Lines that rise as over a hidden shape, each in front of the one before. */
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

/** A point of light printed in dots. */
export const halftone: Composition = ({ random, inks, region }) => {
  const { left, top, width, height } = region
  const step = height * 0.066
  const x0 = left + width * random.range(0.5, 0.75)
  const y0 = top + height * random.range(0.3, 0.6)
  const reach = Math.min(width, height * 1.3)
  const dots: string[] = []
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)]
  const [firstX, firstY] = [left + (width - (columns - 1) * step) / 2, top + (height - (rows - 1) * step) / 2]
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [firstX + column * step, firstY + row * step]
      const near = clamp(1.12 - (hypot(x - x0, y - y0) / reach) * 1.25)
      dots.push(circle(x, y, step * (0.45 * near ** 0.8 + 0.045), random.next() < 0.045 ? inks.accent : inks.ink))
    }
  }
  return dots.join('')
}

/** A large disc with a horizon, a companion or a dark half. */
export const disc: Composition = ({ random, inks, region }) => {
  const { left, top, width, height } = region
  const radius = Math.min(width, height) * random.range(0.34, 0.41)
  const x = clamp(left + width * random.range(0.54, 0.7), left + radius * 1.28, left + width - radius * 1.1)
  const y = top + height * random.range(0.46, 0.54)
  const sun = circle(x, y, radius, inks.accent)
  const kind = random.int(0, 2)
  if (kind === 0) {
    const line = Math.min(width, height) * 0.009
    const from = region.spansWidth ? left : Math.max(left, x - radius * 1.25)
    const level = y + radius * random.range(0.1, 0.45)
    return sun + rectangle(from, level, left + width - from, line, inks.ink)
  }
  if (kind === 1) {
    return (
      sun + circle(x - radius * random.range(0.7, 0.92), y + radius * random.range(0.4, 0.6), radius * 0.3, inks.ink)
    )
  }
  const reach = n(radius)
  return `${sun}<path d="M${n(x - radius)} ${n(y)} A${reach} ${reach} 0 0 0 ${n(x + radius)} ${n(y)} Z" fill="${inks.ink}"/>`
}

/** Tiles of stripes, quarters and discs. */
export const blocks: Composition = ({ random, inks, region }) => {
  const { left, top, width, height } = region
  const rows = height > width * 1.1 ? random.int(3, 4) : random.int(2, 3)
  const columns = Math.max(1, Math.round((width / height) * rows * random.pick([0.72, 0.9])))
  const [tileWidth, tileHeight] = [width / columns, height / rows]
  const grounds = [inks.accent, inks.ink, inks.tint, inks.paper]
  const tile = (column: number, row: number) => {
    const ground = grounds[(column * 2 + row + random.int(0, 1)) % grounds.length] ?? inks.paper
    const figure = ground === inks.accent ? inks.paper : ground === inks.ink ? inks.accent : inks.ink
    const [x, y] = [left + column * tileWidth, top + row * tileHeight]
    const shorter = Math.min(tileWidth, tileHeight)
    const stripe = (place: number) => rectangle(x + (tileWidth * place) / 6, y, tileWidth / 12, tileHeight, figure)
    const figures = [
      () => circle(x + tileWidth / 2, y + tileHeight / 2, shorter * 0.34, figure),
      () => circle(x + random.int(0, 1) * tileWidth, y + random.int(0, 1) * tileHeight, shorter, figure),
      () => Array.from({ length: 6 }, (_, place) => stripe(place)).join(''),
      () =>
        circle(x + tileWidth / 2, y + tileHeight, shorter / 2, figure) +
        circle(x + tileWidth / 2, y, shorter / 2, ground === inks.tint ? inks.paper : inks.tint),
      () => '',
    ]
    const clip = `t${column}-${row}`
    const edge = `<rect x="${n(x)}" y="${n(y)}" width="${n(tileWidth + 0.6)}" height="${n(tileHeight + 0.6)}"`
    const drawn = figures[random.int(0, figures.length - 1)]?.() ?? ''
    return `<clipPath id="${clip}">${edge}/></clipPath><g clip-path="url(#${clip})">${edge} fill="${ground}"/>${drawn}</g>`
  }
  return Array.from({ length: columns * rows }, (_, place) => tile(Math.floor(place / rows), place % rows)).join('')
}

/** Rings that grow out of a corner. */
export const arcs: Composition = ({ random, inks, region }) => {
  const { left, top, width, height, spansWidth } = region
  const count = random.int(7, 11)
  const reach = Math.min(width, height) * random.range(0.86, 0.97)
  const x = left + width
  // When the title is below, the lower corners do not belong to the picture.
  const y = spansWidth ? top : top + height * random.pick([0, 1])
  return Array.from({ length: count }, (_, ring) => {
    const fill = ring % 2 === 1 ? inks.paper : ring % 4 === 0 ? inks.accent : inks.ink
    return circle(x, y, (reach * (count - ring)) / count, fill)
  }).join('')
}
