import sharp from 'sharp'
import site from '../../site.config.ts'
import { layOut } from '../media/covers/lettering.ts'

/** The coin of `/favicon.svg` with its letter as a path, so that no font of the machine is asked for. */
async function coin(): Promise<string> {
  const letter = await layOut([...site.name][0] ?? '', 19, 32, '#ffffff')
  // Letters are laid out from the left; a capital of this face is about 0.62 of its size wide.
  const place = letter ? `<g transform="translate(10.4 ${(32 - letter.height) / 2})">${letter.paths}</g>` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="512" height="512"><circle cx="16" cy="16" r="16" fill="${site.accent.light}"/><circle cx="16" cy="16" r="12.5" fill="none" stroke="#fff" stroke-opacity=".45"/>${place}</svg>`
}

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

/** Icons for browsers and home screens that do not take the SVG, by file name. */
export async function makeIcons(): Promise<[name: string, bytes: Uint8Array][]> {
  const drawing = Buffer.from(await coin())
  const png = (side: number) => sharp(drawing).resize(side).png({ compressionLevel: 9 })
  const [small, large, touch] = await Promise.all([
    png(32).toBuffer(),
    png(512).toBuffer(),
    // Home screens cut their own corners and show transparency as black.
    png(180).flatten({ background: site.accent.light }).toBuffer(),
  ])
  return [
    ['favicon.ico', toIco(small)],
    ['icon-512.png', large],
    ['apple-touch-icon.png', touch],
  ]
}
