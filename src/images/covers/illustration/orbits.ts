import { clamp, hypot } from '../arithmetic.ts'
import { darker, lighter, luminance, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import { makeSheet, type Shade, type Sheet } from './sheet.ts'

interface Body {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: Rgb
}

/** The plane of all orbits. */
interface Plane {
  readonly x: number
  readonly y: number
  readonly tilt: number
  readonly turn: number
}

/** Planets with a radius above this share of the shorter side may have rings. */
const ringed = 0.04

/** A sun and its planets. */
export const orbits: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random)
  const { tones, colours, grain, shorter, unit } = sheet
  const isDark = random.next() < 0.72
  const [sky, line] = isDark ? [darker(tones[5], 0.7), tones[0]] : [tones[0], tones[5]]
  const plane: Plane = {
    x: width * random.pick([0.32, 0.5, 0.66]),
    y: height * random.range(0.42, 0.6),
    tilt: random.range(0.3, 1),
    turn: random.range(-0.6, 0.6),
  }
  const glow = isDark ? lighter(sky, 0.1) : darker(sky, 0.93)
  sheet.ground(glow, sky, (x, y) => {
    const away = hypot(x - plane.x, y - plane.y) / shorter
    return clamp(away * 0.9 + (grain(x, y) - 0.5) * 0.35)
  })
  if (isDark) {
    for (let star = 0; star < 220; star += 1) {
      const [x, y] = [random.next() * width, random.next() * height]
      sheet.circle(x, y, random.range(0.5, 1.7) * unit, { colour: line, opacity: random.range(0.2, 0.85) })
    }
  }
  const bodies = drawPaths(sheet, plane, mixRgb(sky, line, 0.55))
  drawSun(sheet, plane, sunColour(colours, sky), shorter * 0.1)
  // Planets that do not fit into the picture, including their rings, are left out.
  const isWhole = ({ x, y, radius }: Body) =>
    Math.min(x, y, width - x, height - y) > radius * (radius > shorter * ringed ? 2.1 : 1.1)
  for (const body of bodies.filter(isWhole).toSorted((a, b) => a.y - b.y)) drawBody(sheet, plane, body)
  const finish = { hasFilmCurve: false, contrast: 1.04, saturation: 1.05, vignette: 0.12, grain: 0.028 }
  return { raster: sheet.raster, finish, scene: 'orbits', alt: 'Illustration of planets on their paths around a sun' }
}

const sunColour = (colours: Sheet['colours'], sky: Rgb): Rgb =>
  [colours[5], colours[2], colours[1]].find(
    (colour) => luminance(colour) > 0.12 && Math.abs(luminance(colour) - luminance(sky)) > 0.12,
  ) ?? colours[1]

function drawSun(sheet: Sheet, { x, y }: Plane, colour: Rgb, radius: number): void {
  for (let ring = 4; ring > 0; ring -= 1) sheet.circle(x, y, radius * (1 + ring * 0.16), { colour, opacity: 0.1 })
  sheet.circle(x, y, radius, {
    colour,
    shade: (px, py) => clamp((((px - x) * 0.6 + (py - y) * 0.8) / radius) * 0.55 + 0.05),
    shadeColour: mixRgb(darker(colour, 0.5), sheet.tones[5], 0.3),
  })
}

function drawPaths(sheet: Sheet, { x, y, tilt, turn }: Plane, colour: Rgb): Body[] {
  const { random, shorter, unit, colours } = sheet
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return Array.from({ length: random.int(6, 9) }, (_, path): Body[] => {
    const reach = shorter * (0.16 + path * 0.105)
    const dashes = random.next() < 0.4 ? random.int(40, 90) : 0
    const thick = unit * random.pick([1.1, 1.1, 1.8, 3.2])
    const box = [x - reach * 1.05, y - reach * 1.05, x + reach * 1.05, y + reach * 1.05] as const
    const toPath = (px: number, py: number) => {
      const along = (px - x) * cos + (py - y) * sin
      const aside = (-(px - x) * sin + (py - y) * cos) / tilt
      const away = Math.abs(hypot(along, aside) - reach) * Math.max(tilt, 0.6) - thick / 2
      if (dashes === 0 || away > 0.5) return away
      const place = ((Math.atan2(aside, along) / (2 * Math.PI) + 1) % 1) * dashes
      return place % 1 > 0.5 ? 1 : away
    }
    sheet.shape(box, toPath, { colour, opacity: 0.8 })
    return Array.from({ length: random.int(path < 2 ? 0 : 1, 2) }, (_body, place) => {
      const angle = random.range(0, 2 * Math.PI)
      const [along, aside] = [Math.cos(angle) * reach, Math.sin(angle) * reach * tilt]
      return {
        x: x + along * cos - aside * sin,
        y: y + along * sin + aside * cos,
        radius: shorter * random.range(0.012, 0.018 + 0.012 * path) * (place > 0 ? 0.5 : 1),
        colour: colours[random.int(1, 4)] ?? colours[1],
      }
    })
  }).flat()
}

/** A planet, lit on the side of the sun; some have bands, some large ones a ring. */
function drawBody(sheet: Sheet, plane: Plane, { x, y, radius, colour }: Body): void {
  const { random, shorter, tones } = sheet
  const [toX, toY] = [plane.x - x, plane.y - y]
  const away = hypot(toX, toY) || 1
  const shadeColour = mixRgb(darker(colour, 0.35), tones[5], 0.5)
  const turned = (px: number, py: number) => -((px - x) * toX + (py - y) * toY) / away / radius
  const dark: Shade = (px, py) => clamp(turned(px, py) * 0.75 + 0.22)
  const hasRing = radius > shorter * ringed && random.next() < 0.5
  sheet.circle(x, y, radius, { colour, shade: dark, shadeColour })
  for (let band = random.next() < 0.5 ? 3 : 0; band > 0; band -= 1) {
    const level = y + radius * random.range(-0.6, 0.6)
    const half = radius * random.range(0.04, 0.1)
    sheet.shape(
      [x - radius, level - half, x + radius, level + half],
      (px, py) =>
        Math.max(
          hypot(px - x, py - y) - radius,
          Math.abs(py - level + ((px - x) / radius) ** 2 * radius * 0.12) - half,
        ),
      {
        colour: lighter(colour, 0.35),
        shade: (px, py) => clamp(turned(px, py) * 0.75 + 0.3),
        shadeColour,
        opacity: 0.8,
      },
    )
  }
  if (!hasRing) return
  sheet.shape(
    [x - radius * 2, y - radius * 2, x + radius * 2, y + radius * 2],
    (px, py) => {
      const along = (px - x) * 0.94 + (py - y) * 0.34
      const aside = (-(px - x) * 0.34 + (py - y) * 0.94) / 0.28
      if (aside < 0 && hypot(px - x, py - y) < radius) return 1
      return (Math.abs(hypot(along, aside) - radius * 1.65) - radius * 0.17) * 0.35
    },
    { colour: lighter(colour, 0.45), opacity: 0.9 },
  )
}
