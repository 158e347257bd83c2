import sharp from 'sharp'

type Format = 'jpeg' | 'png' | 'webp'
const drawn = new Map<string, Promise<Buffer>>()

/** A detailed picture as a provider might send it, with location and camera in its metadata; cached after drawing. */
export function providerPicture(width: number, height: number, format: Format = 'jpeg'): Promise<Buffer> {
  const name = `${width} ${height} ${format}`
  const picture = drawn.get(name) ?? draw(width, height, format)
  drawn.set(name, picture)
  return picture
}

async function draw(width: number, height: number, format: Format): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  const hills = Array.from({ length: width }, (_, x) => Math.sin(x / 40) * 30 + Math.sin(x / 13) * 8 + height / 2)
  const waves = Array.from({ length: width * 3 }, (_, place) => 45 * Math.sin(Math.floor(place / 3) / 21 + (place % 3)))
  for (let y = 0; y < height; y += 1) {
    const row = y * width * 3
    const strength = Math.cos(y / 17)
    for (const [place, wave] of waves.entries()) {
      const x = Math.floor(place / 3)
      pixels[row + place] = (y > (hills[x] ?? 0) ? 70 : 170) + wave * strength + ((x * 7 + y * 13) % 11)
    }
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withExif({
      IFD0: { Make: 'Pretend', Artist: 'Nobody' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .toFormat(format, { quality: 88 })
    .toBuffer()
}

/** A blank picture of the right size, which can be decoded. */
export const blankPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#ccc' } })
    .jpeg()
    .toBuffer()
