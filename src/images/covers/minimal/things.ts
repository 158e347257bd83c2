import type { Ink, Motif } from '../../motifs/shape.ts'
import { mixHex } from '../colour.ts'
import { toSvg } from '../things/thing-svg.ts'
import { type Composition, circle, type Drawing, n, rectangle } from './composition.ts'
import type { Inks } from './palettes.ts'

type Print = (thing: Motif, drawing: Drawing) => string

/** Draws a motif in the inks of a cover, in one of several randomly chosen arrangements. */
export const thingPrint =
  (thing: Motif): Composition =>
  (drawing) =>
    drawing.random.pick<Print>([onPanel, onAccent, onDisc, inArch, inRows])(thing, drawing)

const plain = ({ accent, ink, paper, tint }: Inks): Readonly<Record<Ink, string>> => ({
  main: accent,
  second: mixHex(tint, ink, 0.42),
  dark: ink,
  light: paper,
})

const middleOf = ({ left, top, width, height }: Drawing['region']) => ({ x: left + width / 2, y: top + height / 2 })

const onPanel: Print = (thing, { inks, region }) => {
  const { left, top, width, height } = region
  const colours = plain(inks)
  const size = Math.min(width, height) * 0.7
  return (
    rectangle(left, top, width, height, inks.tint) + toSvg(thing, { ...middleOf(region), size }, (ink) => colours[ink])
  )
}

/** On the accent colour, which shows through where the motif is light. */
const onAccent: Print = (thing, { inks, region }) => {
  const { left, top, width, height } = region
  const colours = { main: inks.paper, second: inks.tint, dark: inks.ink, light: inks.accent }
  const size = Math.min(width, height) * 0.66
  return (
    rectangle(left, top, width, height, inks.accent) +
    toSvg(thing, { ...middleOf(region), size }, (ink) => colours[ink])
  )
}

const onDisc: Print = (thing, { inks, region, random }) => {
  const { x, y } = middleOf(region)
  const radius = Math.min(region.width, region.height) * random.range(0.42, 0.46)
  const colours = plain(inks)
  return circle(x, y, radius, inks.tint) + toSvg(thing, { x, y, size: radius * 1.34 }, (ink) => colours[ink])
}

const inArch: Print = (thing, { inks, region }) => {
  const { left, top, width, height } = region
  const half = Math.min(width * 0.41, height * 0.4)
  const x = left + width / 2
  const crown = top + Math.max(half + height * 0.07, height * 0.46)
  const foot = top + height
  const colours = plain(inks)
  const arch = `<path d="M${n(x - half)} ${n(foot)}V${n(crown)}A${n(half)} ${n(half)} 0 0 1 ${n(x + half)} ${n(crown)}V${n(foot)}Z" fill="${inks.tint}"/>`
  return arch + toSvg(thing, { x, y: crown + half * 0.12, size: half * 1.36 }, (ink) => colours[ink])
}

/** Rows of copies, one of them in full colour. */
const inRows: Print = (thing, { inks, region, random }) => {
  const { left, top, width, height } = region
  const rows = width > height * 1.4 ? 2 : 3
  const columns = Math.max(2, Math.round((width / height) * rows))
  const side = Math.min((width * 0.92) / columns, (height * 0.92) / rows)
  const [startX, startY] = [left + (width - side * columns) / 2, top + (height - side * rows) / 2]
  const marked = random.int(0, rows * columns - 1)
  const coloured = plain(inks)
  const quiet = {
    ...coloured,
    main: mixHex(inks.tint, inks.ink, 0.18),
    second: inks.tint,
    dark: mixHex(inks.tint, inks.ink, 0.6),
  }
  return Array.from({ length: rows * columns }, (_, place) => {
    const [x, y] = [startX + ((place % columns) + 0.5) * side, startY + (Math.floor(place / columns) + 0.5) * side]
    const colours = place === marked ? coloured : quiet
    return toSvg(thing, { x, y, size: side * 0.76 }, (ink) => colours[ink])
  }).join('')
}
