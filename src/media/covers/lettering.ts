import { readFileSync } from 'node:fs'
import satori from 'satori'
import { facesFor, toSetText } from './faces-for.ts'
import type { Face } from './fonts/faces.ts'

/** Letters as SVG paths, so that no font of the machine is ever asked for. */
export interface Lettering {
  /** What goes inside an `<svg>`, with its upper left corner at 0, 0. */
  readonly paths: string
  readonly width: number
  readonly height: number
}

interface Fit {
  readonly width: number
  readonly height: number
  readonly colour: string
  readonly smallest: number
  readonly largest: number
}

const fontData = new Map<Face, Buffer>()

function dataOf(face: Face): Buffer {
  const data = fontData.get(face) ?? readFileSync(new URL(`fonts/${face.file}`, import.meta.url))
  fontData.set(face, data)
  return data
}

/** Lays text out at one size; undefined when its letters are not at hand. */
export async function layOut(
  text: string,
  size: number,
  width: number,
  colour: string,
): Promise<Lettering | undefined> {
  const used = facesFor(text)
  if (!used) return undefined
  const style = {
    display: 'block',
    fontFamily: used.map(({ family }) => family).join(', '),
    fontSize: size,
    fontWeight: 600,
    lineHeight: 1.08,
    letterSpacing: size * -0.02,
    color: colour,
    textWrap: 'balance',
    wordBreak: 'break-word',
  }
  const column = { display: 'flex', flexDirection: 'column', width }
  const svg = await satori(
    { type: 'div', key: null, props: { style: column, children: { type: 'div', props: { style, children: text } } } },
    {
      width: Math.round(width),
      fonts: used.map((face) => ({ name: face.family, data: dataOf(face), weight: 600, style: 'normal' })),
    },
  )
  const [, height = '0'] = /height="([\d.]+)"/.exec(svg) ?? []
  return { paths: svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, ''), width, height: Number(height) }
}

/** A letter's mean width by its size, wide enough that no usual word is cut. */
const widthPerSize = 0.58
const attempts = 6

/** Sets a title as large as its box allows; undefined when its letters are not at hand or it does not fit at all. */
export async function setTitle(title: string, fit: Fit): Promise<Lettering | undefined> {
  const text = toSetText(title)
  const longestWord = Math.max(...text.split(/[\s-]+/).map((word) => word.length))
  let [low, high] = [
    fit.smallest,
    Math.max(fit.smallest, Math.min(fit.largest, fit.width / longestWord / widthPerSize)),
  ]
  let best: Lettering | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const size = attempt === 0 ? high : (low + high) / 2
    const laidOut = await layOut(text, size, fit.width, fit.colour)
    if (!laidOut) return undefined
    if (laidOut.height <= fit.height) {
      best = laidOut
      if (attempt === 0) return best
      low = size
    } else high = size
  }
  if (best) return best
  const smallest = await layOut(text, fit.smallest, fit.width, fit.colour)
  return smallest && smallest.height <= fit.height ? smallest : undefined
}
