import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { escapeHtml } from '../../core/escape-html.ts'
import { drawsAll } from './faces-for.ts'
import type { Face } from './fonts/faces.ts'
import { rightToLeftFaces } from './fonts/right-to-left-faces.ts'
import { largestFit, longestFit } from './largest-fit.ts'
import type { Fit, Lettering } from './lettering-box.ts'

/** Whether a text is written from right to left, decided by its first letter. */
export const isRightToLeft = (text: string): boolean => /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text)

interface Sheet {
  readonly png: Buffer
  readonly size: number
  readonly width: number
  readonly height: number
}

/** Oversampling, so that edges stay smooth when the picture is composed. */
const finer = 2
/** Letters that no box can hold; longer texts are cut. */
const longest = 600
/** Room above the first line, as a multiple of the font size. */
const headroom = 0.2

/**
 * Sets a right-to-left title, aligned to the right edge of its box, and cuts it with an ellipsis when it is too long.
 * The text engine of libvips (Pango) lays it out, because it knows bidirectional text and Arabic marks. It gets one
 * font that has every letter of the title, so that it does not use fonts of the machine; undefined when there is no
 * such font.
 */
export async function setRightToLeft(text: string, fit: Fit): Promise<Lettering | undefined> {
  const face = rightToLeftFaces.find((each) => drawsAll(each, text))
  if (!face) return undefined
  const set = (words: string, size: number) => layOut(words, face, size, fit)
  const whole =
    text.length > longest ? undefined : await largestFit(fit.smallest, fit.largest, (size) => set(text, size))
  const sheet = whole ?? (await setShortened(text, (words) => set(words, fit.smallest)))
  return sheet && toLettering(sheet, fit)
}

async function setShortened<Set>(text: string, set: (words: string) => Promise<Set | undefined>) {
  const words = text.slice(0, longest).split(' ')
  return await longestFit(words.length - 1, (count) => {
    const beginning = words
      .slice(0, count)
      .join(' ')
      .replace(/[\s\p{P}]+$/u, '')
    return set(`${beginning}…`)
  })
}

/** Lays out a text at one size; undefined when it does not fit. */
async function layOut(text: string, { family, file }: Face, size: number, fit: Fit): Promise<Sheet | undefined> {
  const { width, height, colour } = fit
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}">${escapeHtml(text)}</span>`,
      font: `${family} ${Math.round(size * finer)}`,
      fontfile: fileURLToPath(new URL(`fonts/${file}`, import.meta.url)),
      width: Math.round(width * finer),
      dpi: 72,
      // For a right-to-left text, `left` means the right edge.
      align: 'left',
      wrap: 'word',
      // Arabic fonts have wide line spacing for the marks of running text; a title has few.
      spacing: -Math.round(size * finer * (family.includes('Arabic') ? 0.35 : 0.15)),
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  const hasRoom = info.width <= width * finer && info.height <= (height - size * headroom) * finer
  return hasRoom ? { png: data, size, width: info.width, height: info.height } : undefined
}

/** The picture is cropped to the ink, so it gets the room above the line that other lettering includes. */
function toLettering({ png, size, ...sheet }: Sheet, { width }: Fit): Lettering {
  const [shown, height] = [sheet.width / finer, sheet.height / finer]
  const above = size * headroom
  const href = `data:image/png;base64,${png.toString('base64')}`
  const x = (width - shown).toFixed(1)
  const image = `<image x="${x}" y="${above.toFixed(1)}" width="${shown}" height="${height}" href="${href}"/>`
  return { paths: image, width, height: above + height }
}
