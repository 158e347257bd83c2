import type { Motif } from '../../motifs/shape.ts'
import { mixHex } from '../colour.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { Scheme } from './schemes.ts'
import { type Place, toSvg } from './thing-svg.ts'

/** One layer of a picture: its SVG, and how far it stands out, 0 to 255. */
export interface Layer {
  readonly flat: string
  /** The same SVG with every colour replaced by a grey level that is its height. */
  readonly relief: string
}

interface Size {
  readonly width: number
  readonly height: number
}

/** A thing and its surroundings, as layers from back to front. */
export interface Stage extends Size {
  readonly layers: readonly Layer[]
}

type Arrange = (thing: Motif, scheme: Scheme, size: Size, random: SeededRandom) => Layer[]

const n = (length: number): string => length.toFixed(1)
const grey = (level: number) => `rgb(${level},${level},${level})`

/** A layer with one path, in a colour and at a height. */
const sheet = (path: string, colour: string, level: number): Layer => ({
  flat: `<path d="${path}" fill="${colour}"/>`,
  relief: `<path d="${path}" fill="${grey(level)}"/>`,
})

const round = (x: number, y: number, radius: number) =>
  `M${n(x - radius)} ${n(y)}a${n(radius)} ${n(radius)} 0 1 0 ${n(2 * radius)} 0a${n(radius)} ${n(radius)} 0 1 0 ${n(-2 * radius)} 0Z`

const steps = 48

/** The outline of an uneven opening around a centre, as if cut with scissors. */
function opening(random: SeededRandom, x: number, y: number, across: number, down: number): string {
  const waves = [2, 3, 5].map((turns) => ({ turns, swing: random.range(0.012, 0.035), phase: random.range(0, 6.28) }))
  const points = Array.from({ length: steps }, (_, step) => {
    const angle = (step / steps) * 2 * Math.PI
    const reach = waves.reduce((sum, { turns, swing, phase }) => sum + swing * Math.sin(turns * angle + phase), 1)
    // Squarer than an ellipse, so that it fills a wide picture.
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const square = 1 / (Math.abs(cos) ** 3 + Math.abs(sin) ** 3) ** (1 / 3)
    return [x + cos * square * across * reach, y + sin * square * down * reach] as const
  })
  return smoothLoop(points)
}

/** A closed Catmull-Rom curve through points. */
function smoothLoop(points: readonly (readonly [x: number, y: number])[]): string {
  const at = (place: number) => points[(place + points.length) % points.length] ?? [0, 0]
  const parts = points.map(([x, y], place) => {
    const [[beforeX, beforeY], [nextX, nextY], [afterX, afterY]] = [at(place - 1), at(place + 1), at(place + 2)]
    const [leaveX, leaveY] = [x + (nextX - beforeX) / 6, y + (nextY - beforeY) / 6]
    const [meetX, meetY] = [nextX - (afterX - x) / 6, nextY - (afterY - y) / 6]
    return `${place === 0 ? `M${n(x)} ${n(y)}` : ''}C${n(leaveX)} ${n(leaveY)} ${n(meetX)} ${n(meetY)} ${n(nextX)} ${n(nextY)}`
  })
  return `${parts.join('')}Z`
}

/** The outline of a hill across the whole width. */
function hill(random: SeededRandom, width: number, height: number, level: number, swing: number): string {
  const [phase, turns] = [random.range(0, 6.28), random.range(0.6, 1.5)]
  const at = (share: number) =>
    level + swing * (Math.sin(share * turns * 6.28 + phase) + 0.4 * Math.sin(share * turns * 13 + phase * 2))
  const points = Array.from({ length: 41 }, (_, step) => `L${n((step / 40) * width)} ${n(at(step / 40))}`)
  return `M0 ${n(height)}${points.join('')}L${n(width)} ${n(height)}Z`
}

/** Several frames around an opening, with the thing at its back. */
const inFrames: Arrange = (thing, { ground, inks }, { width, height }, random) => {
  const [deep, middle, pale] = ground
  const shorter = Math.min(width, height)
  const place = { x: width / 2, y: height / 2, size: shorter * 0.58 }
  const isDeepOutside = random.next() < 0.5
  const shades = isDeepOutside
    ? [pale, middle, mixHex(middle, deep, 0.5), deep]
    : [deep, mixHex(middle, deep, 0.5), middle, pale]
  const around = `M0 0H${width}V${height}H0Z`
  const frames = [0.375, 0.41, 0.445].map((reach, ring) => {
    const path = opening(random, width / 2, height / 2, width * (reach - 0.015), height * reach)
    const colour = shades[ring + 1] ?? deep
    const level = 150 + ring * 48
    return {
      flat: `<path d="${around}${path}" fill="${colour}" fill-rule="evenodd"/>`,
      relief: `<path d="${around}${path}" fill="${grey(level)}" fill-rule="evenodd"/>`,
    }
  })
  const [floor = pale] = shades
  const halo = round(place.x, place.y, shorter * 0.345)
  return [
    sheet(around, floor, 0),
    ...(random.next() < 0.6
      ? [sheet(halo, isDeepOutside ? mixHex(pale, inks.light, 0.6) : mixHex(deep, middle, 0.35), 24)]
      : []),
    standing(thing, place, inks, 44),
    ...frames,
  ]
}

/** The thing on hills before a large disc. */
const onHills: Arrange = (thing, { ground, inks }, { width, height }, random) => {
  const [deep, middle, pale] = ground
  const shorter = Math.min(width, height)
  const side = random.sign()
  const x = width / 2 + side * width * random.range(0, 0.12)
  const place = { x, y: height * 0.47, size: shorter * random.range(0.62, 0.68) }
  const isDeep = random.next() < 0.5
  const [sky, far, near, front] = isDeep
    ? [deep, mixHex(deep, middle, 0.45), middle, mixHex(middle, pale, 0.6)]
    : [pale, mixHex(pale, middle, 0.6), middle, deep]
  const sun = isDeep ? mixHex(middle, pale, 0.35) : mixHex(pale, inks.light, 0.75)
  return [
    sheet(`M0 0H${width}V${height}H0Z`, sky, 0),
    sheet(round(x, place.y, shorter * 0.41), sun, 22),
    sheet(hill(random, width, height, height * 0.66, height * 0.045), far, 40),
    sheet(hill(random, width, height, height * 0.735, height * 0.035), near, 58),
    standing(thing, place, inks, 76),
    sheet(hill(random, width, height, height * 0.865, height * 0.025), front, 210),
  ]
}

/** The thing in large, and smaller copies in quiet colours beside it. */
const inRow: Arrange = (thing, { ground, inks }, { width, height }, random) => {
  const [deep, middle, pale] = ground
  const isDeep = random.next() < 0.4
  const [back, quiet, shelf] = isDeep
    ? [deep, mixHex(deep, middle, 0.75), middle]
    : [pale, mixHex(pale, middle, 0.85), middle]
  const large = Math.min(height * 0.6, width * 0.5)
  const small = large * 0.42
  const count = width / height > 1.5 ? 2 : 1
  const foot = height * 0.5 + large / 2
  const quietInks = { main: quiet, second: mixHex(quiet, back, 0.4), dark: mixHex(quiet, shelf, 0.8), light: back }
  const beside = Array.from({ length: count * 2 }, (_, place) => {
    const out = (large * 0.5 + small * 0.62 + Math.floor(place / 2) * small * 1.08) * (place % 2 === 0 ? -1 : 1)
    return standing(thing, { x: width / 2 + out, y: foot - small / 2, size: small }, quietInks, 26)
  })
  return [
    sheet(`M0 0H${width}V${height}H0Z`, back, 0),
    sheet(`M0 ${n(foot - height * 0.02)}H${width}V${height}H0Z`, shelf, 14),
    ...beside,
    standing(thing, { x: width / 2, y: height / 2, size: large }, inks, 60),
  ]
}

function standing(thing: Motif, place: Place, inks: Scheme['inks'], level: number): Layer {
  return {
    flat: toSvg(thing, place, (ink) => inks[ink]),
    relief: toSvg(thing, place, (_, part) => grey(level + part * 11)),
  }
}

/** Arranges a thing and its surroundings in one of several randomly chosen ways. */
export function setStage(thing: Motif, scheme: Scheme, size: Size, random: SeededRandom): Stage {
  const arrange = random.pick<Arrange>([inFrames, onHills, inRow, onHills])
  return { ...size, layers: arrange(thing, scheme, size, random) }
}
