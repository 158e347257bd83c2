import sharp from 'sharp'
import { setName, setTitle } from './lettering.ts'
import { rectangle } from './minimal/composition.ts'
import type { Art, Lettered } from './paint-art.ts'

const paper = '#f4efe6'
const ink = '#1c1b19'
const copper = '#9a4f1c'

/**
 * Crops a picture to a size and puts a paper label with the title at its foot. If the fonts lack letters of the title,
 * the picture gets no label.
 */
export async function setLabel(art: Art, width: number, height: number, words: Lettered): Promise<Art> {
  const label = await drawLabel(width, height, words)
  const shown = label ? Math.ceil(label.top) : height
  const picture = sharp(art.pixels, { raw: { width: art.width, height: art.height, channels: 3 } })
    .resize({ width, height: shown, fit: 'cover' })
    .extend({ bottom: height - shown, background: paper })
  const layers = label ? [{ input: Buffer.from(label.svg) }] : []
  const pixels = await picture.composite(layers).removeAlpha().raw().toBuffer()
  return { ...art, pixels, width, height }
}

async function drawLabel(width: number, height: number, { title, imprint = '', accent = copper }: Lettered) {
  const shorter = Math.min(width, height)
  const isSquare = width / height < 1.2
  const margin = shorter * 0.075
  const set = await setTitle(title, {
    width: width - margin * 2,
    height: height * (isSquare ? 0.26 : 0.34),
    colour: ink,
    smallest: shorter * 0.05,
    largest: shorter * (isSquare ? 0.085 : 0.115),
  })
  if (!set) return undefined
  const name = await setName(imprint, { width: width - margin * 2, colour: accent, size: shorter * 0.042 })
  const head = (name?.height ?? 0) + margin * 0.3
  const top = height - set.height - head - margin * 1.55
  const at = (y: number, paths: string) => `<g transform="translate(${margin} ${y.toFixed(1)})">${paths}</g>`
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    rectangle(0, top, width, height - top, paper),
    rectangle(0, top, width, shorter * 0.008, accent),
    name ? at(top + margin * 0.6, name.paths) : '',
    at(top + margin * 0.6 + head, set.paths),
    '</svg>',
  ].join('')
  return { svg, top }
}
