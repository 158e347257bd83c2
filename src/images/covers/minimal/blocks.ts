import { type Composition, circle, n, rectangle } from './composition.ts'

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
