import sharp from 'sharp'
import { type MotifName, motifs } from '../../motifs/motifs.ts'
import { shortTitle } from '../../short-title.ts'
import { clamp } from '../arithmetic.ts'
import { toSetText } from '../faces-for.ts'
import { setName, setTitle } from '../lettering.ts'
import { isRightToLeft } from '../right-to-left.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type Composition, rectangle } from './composition.ts'
import { arcs, blocks, disc, halftone, ridges } from './compositions.ts'
import { type Inks, palettes } from './palettes.ts'
import { thingPrint } from './things.ts'

/** Compositions for titles without a known motif. */
const compositions: readonly [Subject, ...Subject[]] = [
  { scene: 'disc', alt: 'A large disc in flat colour', compose: disc },
  { scene: 'arcs', alt: 'Rings growing out of a corner', compose: arcs },
  { scene: 'ridges', alt: 'Fine lines rising into a ridge', compose: ridges },
  { scene: 'blocks', alt: 'Tiles of stripes, quarters and discs', compose: blocks },
  { scene: 'halftone', alt: 'A point of light printed in dots', compose: halftone },
]

/** The subject of a print. */
interface Subject {
  readonly scene: string
  readonly alt: string
  readonly compose: Composition
}

interface Sheet {
  readonly width: number
  readonly height: number
  readonly random: SeededRandom
  /** The motif that the title names. */
  readonly motif: MotifName | undefined
  /** Set into the picture if the fonts have its letters. */
  readonly title?: string | undefined
  /** Name of the publication, small, above the title. */
  readonly imprint?: string | undefined
}

/** A finished print in 8-bit RGB, and what it shows. */
export interface Print {
  readonly pixels: Uint8Array
  readonly scene: string
  readonly alt: string
}

/** Flat shapes, two or three inks and a large title on paper. */
export async function printMinimal({ width, height, random, motif, title, imprint }: Sheet): Promise<Print> {
  const inks = random.pick(palettes)
  const { scene, alt, compose } = motif ? toSubject(motif) : random.pick(compositions)
  const lettering = title === undefined ? undefined : await setPage({ width, height, title, imprint, inks })
  const isTall = width / height < 1.2
  const isMirrored = title !== undefined && isRightToLeft(toSetText(title))
  const region = !lettering
    ? { left: 0, top: 0, width, height, spansWidth: true }
    : isTall
      ? { left: 0, top: 0, width, height: height * 0.46, spansWidth: true }
      : { left: width * 0.6, top: 0, width: width * 0.4, height, spansWidth: false }
  const clip = `<clipPath id="region">${rectangle(region.left, region.top, region.width, region.height, '#000')}</clipPath>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${rectangle(0, 0, width, height, inks.paper)}${clip}<g${isMirrored ? ` transform="translate(${width} 0) scale(-1 1)"` : ''}><g clip-path="url(#region)">${compose({ random, inks, region })}</g></g>${lettering ?? ''}</svg>`
  const flat = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()
  return {
    pixels: onPaper(flat, width, height, random),
    scene,
    alt: lettering ? `${alt}, with the title “${shortTitle(title ?? '')}”` : alt,
  }
}

function toSubject(name: MotifName): Subject {
  const { alt } = motifs[name]
  return {
    scene: name,
    alt: `${alt.slice(0, 1).toUpperCase()}${alt.slice(1)} in flat colour`,
    compose: thingPrint(motifs[name]),
  }
}

interface Page {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly imprint: string | undefined
  readonly inks: Inks
}

/**
 * Lays out the title at the foot under a short rule, and the imprint at the head; right-aligned for right-to-left
 * titles. Undefined when the title cannot be set.
 */
async function setPage({ width, height, title, imprint, inks }: Page): Promise<string | undefined> {
  const isTall = width / height < 1.2
  const shorter = Math.min(width, height)
  const column = width * (isTall ? 0.86 : 0.5)
  const set = await setTitle(title, {
    width: column,
    height: height * (isTall ? 0.36 : 0.66),
    colour: inks.ink,
    smallest: shorter * 0.04,
    largest: shorter * (isTall ? 0.135 : 0.145),
  })
  if (!set) return undefined
  const isMirrored = isRightToLeft(toSetText(title))
  const left = isMirrored ? width * 0.94 - column : width * 0.06
  const top = height - height * 0.085 - set.height
  const ruleWidth = shorter * 0.085
  const ruleLeft = isMirrored ? left + column - ruleWidth : left
  const rule = rectangle(ruleLeft, top - shorter * 0.05, ruleWidth, shorter * 0.009, inks.accent)
  const name =
    imprint === undefined || isTall
      ? undefined
      : await setName(imprint, { width: column, colour: inks.ink, size: shorter * 0.038 })
  const head = name ? `<g transform="translate(${left} ${height * 0.075})">${name.paths}</g>` : ''
  return `${head}${rule}<g transform="translate(${left} ${top.toFixed(1)})">${set.paths}</g>`
}

const tile = 256

/** Adds the look of paper: grain of two sizes, and light that falls off softly. */
function onPaper(flat: Uint8Array, width: number, height: number, random: SeededRandom): Uint8Array {
  const grain = new Float32Array(tile * tile)
  for (let place = 0; place < grain.length; place += 1) grain[place] = random.next() + random.next() - 1
  const across = new Float64Array(width)
  for (let x = 0; x < width; x += 1) across[x] = (x / width - 0.35) ** 2
  const pixels = new Uint8Array(flat.length)
  for (let y = 0, place = 0; y < height; y += 1) {
    const down = (y / height - 0.3) ** 2
    const fineRow = (y & 255) * tile
    const coarseRow = (((y * 3) >> 3) & 255) * tile
    for (let x = 0; x < width; x += 1, place += 3) {
      const fine = (grain[fineRow + (x & 255)] ?? 0) * 4
      const coarse = (grain[coarseRow + (((x * 3) >> 3) & 255)] ?? 0) * 2.4
      const light = 1 - 0.05 * ((across[x] ?? 0) + down)
      // Unrolled, because there are millions of channel values.
      pixels[place] = clamp((flat[place] ?? 0) * light + fine + coarse, 0, 255)
      pixels[place + 1] = clamp((flat[place + 1] ?? 0) * light + fine + coarse, 0, 255)
      pixels[place + 2] = clamp((flat[place + 2] ?? 0) * light + fine + coarse, 0, 255)
    }
  }
  return pixels
}
