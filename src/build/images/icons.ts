import sharp from 'sharp'
import site from '../../../site.config.ts'
import { layOut } from '../../images/covers/lettering.ts'
import type { MadeFile } from './image-cache.ts'

/** A coin with the first letter of the site's name, as a path, so that no font of the reader's machine is asked for. */
async function drawCoin(radius: number, background: string): Promise<string> {
  const letter = await layOut([...site.name][0] ?? '', radius * 1.2, 32, '#fff', 'center')
  const top = letter ? 16 - letter.height / 2 : 0
  const glyph = letter ? `<g transform="translate(0 ${top.toFixed(2)})">${letter.paths}</g>` : ''
  const ring = `<circle cx="16" cy="16" r="${radius * 0.78}" fill="none" stroke="#fff" stroke-opacity=".45"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="512" height="512">${background}${ring}${glyph}</svg>`
}

const { light, dark } = site.accent
const disc = `<circle class="coin" cx="16" cy="16" r="16" fill="${light}"/>`
const adapted = `<style>@media(prefers-color-scheme:dark){.coin{fill:${dark}}path{fill:#161412}}</style>${disc}`
/** Home screens cut their own corners out of a full square, and keep the middle. */
const square = `<rect width="32" height="32" fill="${light}"/>`

/** An ICO file that holds one PNG of 32 pixels, as every browser since 2007 reads it. */
function toIco(png: Uint8Array): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** Icons for browsers, home screens and launchers. */
export async function makeIcons(): Promise<MadeFile[]> {
  const [svg, coin, tile] = await Promise.all([drawCoin(16, adapted), drawCoin(16, disc), drawCoin(12, square)])
  const png = (drawing: string, side: number) =>
    sharp(Buffer.from(drawing)).resize(side).png({ compressionLevel: 9 }).toBuffer()
  const icon = (purpose: string, type: MadeFile['type'], side: number, bytes: Uint8Array) =>
    ({ purpose, type, bytes, width: side, height: side }) satisfies MadeFile
  return [
    icon('favicon', 'svg', 32, Buffer.from(svg)),
    icon('favicon', 'ico', 32, toIco(await png(coin, 32))),
    icon('apple-touch-icon', 'png', 180, await png(tile, 180)),
    icon('icon-192', 'png', 192, await png(tile, 192)),
    icon('icon-512', 'png', 512, await png(tile, 512)),
  ]
}
