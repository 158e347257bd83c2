import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CoverStyle } from '../../src/core/cover-styles.ts'
import type { Cover } from '../../src/images/covers/cover.ts'
import { openCoverStudio } from '../../src/images/covers/make-cover.ts'
import { finishPicture } from '../../src/images/finish-picture.ts'
import { reviewImage } from '../../src/images/review/review-image.ts'
import { figure } from '../support/figures.ts'

const titles = [
  'The glacier that forgot to stop',
  'Who owns a river that has changed its mind?',
  'What the night market taught me about money',
  'On the quiet lives of old trees',
  'A protocol for paying machines',
  'Seven ways to say no',
].slice(0, figure(1, 6))
const styles: readonly CoverStyle[] = ['editorial-minimal', 'illustration', 'photographic']
const studio = openCoverStudio({ threads: 2 })
const covers: Cover[] = []

beforeAll(async () => {
  const requests = titles.flatMap((title) =>
    styles.map((style) => ({ title, style, aspectRatio: '16:9' as const, width: 960 })),
  )
  covers.push(...(await Promise.all(requests.map((request) => studio.makeCover(request)))))
})
afterAll(() => studio.close())

const [width, height] = [1280, 720]
const jpeg = (picture: Sharp) => picture.jpeg({ quality: 85, mozjpeg: true }).toBuffer()
const flat = (background: string) => sharp({ create: { width, height, channels: 3, background } })
const drawing = (body: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`))
const pixels = (brightnessAt: (x: number, y: number) => number) => {
  const data = Buffer.alloc(width * height * 3)
  for (let place = 0; place < data.length; place += 1) {
    data[place] = brightnessAt(Math.floor(place / 3) % width, Math.floor(place / 3 / width))
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

const faulty: Record<string, (photo: Buffer) => Promise<Uint8Array>> = {
  'a white sheet': () => jpeg(flat('#fff')),
  'a grey sheet': () => jpeg(flat('#778')),
  'a black sheet': () => jpeg(flat('#000')),
  'a gradient': () =>
    jpeg(
      drawing(
        '<linearGradient id="g" x2="1" y2="1"><stop stop-color="#234"/><stop offset="1" stop-color="#9ac"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/>',
      ),
    ),
  'one dot': () => jpeg(drawing('<rect width="100%" height="100%" fill="#eee"/><circle cx="640" cy="360" r="40"/>')),
  noise: () => jpeg(pixels((x, y) => (Math.imul(x * 374761393 + y * 668265263, 1274126177) >>> 13) & 255)),
  'a chessboard': () => jpeg(pixels((x, y) => (((x >> 3) + (y >> 3)) & 1) * 255)),
  'a blurred picture': (photo) => jpeg(sharp(photo).blur(12)),
  'a very blurred picture': (photo) => jpeg(sharp(photo).blur(40)),
  'a thumbnail made large': async (photo) =>
    jpeg(sharp(await sharp(photo).resize(64).toBuffer()).resize(width, height, { fit: 'fill' })),
  'an overexposed picture': (photo) => jpeg(sharp(photo).linear(4, 60)),
  'an underexposed picture': (photo) => jpeg(sharp(photo).linear(0.04, 0)),
  'a letterboxed picture': (photo) =>
    jpeg(sharp(photo).resize(width, 480, { fit: 'fill' }).extend({ top: 120, bottom: 120, background: '#000' })),
  // As the engine re-encodes what a provider sends.
  'a picture compressed too hard': async (photo) => {
    const bytes = await sharp(photo).jpeg({ quality: 5 }).toBuffer()
    const finished = await finishPicture({ bytes, aspectRatio: '16:9' })
    return 'jpeg' in finished ? finished.jpeg : bytes
  },
  'half a file': async (photo) => photo.subarray(0, Math.floor(photo.length * 0.6)),
  'an error page': async () => Buffer.from('<html>error</html>'),
  'another format': (photo) => sharp(photo).png().toBuffer(),
  'a tiny picture': (photo) => jpeg(sharp(photo).resize(320)),
  'another shape': (photo) => jpeg(sharp(photo).resize(900, 900)),
}

describe('the review of a picture', () => {
  it('accepts the covers of every style', async () => {
    for (const cover of covers) {
      const { reasons } = await reviewImage(cover.jpeg, { aspect: 16 / 9, minShortSide: 540 })
      expect([cover.scene, reasons]).toEqual([cover.scene, []])
    }
  })

  it.each(Object.keys(faulty))('refuses %s', async (name) => {
    const photo = await jpeg(sharp(covers[2]?.jpeg).resize(width, height))
    const bytes = await faulty[name]?.(photo)
    const { pass, reasons } = await reviewImage(bytes ?? new Uint8Array(), { aspect: 16 / 9 })
    expect(pass).toBe(false)
    expect(reasons.length).toBeGreaterThan(0)
  })

  it('says why a picture does not decode', async () => {
    const half = await faulty['half a file']?.(await jpeg(sharp(covers[2]?.jpeg)))
    expect((await reviewImage(half ?? new Uint8Array())).reasons).toEqual([
      expect.stringMatching(/^does not decode: Error: .*premature end/i),
    ])
  })

  it('recognizes a picture after scaling and re-encoding, and distinguishes covers', async () => {
    const prints = await Promise.all(
      covers.map(async ({ jpeg: bytes }) => (await reviewImage(bytes)).fingerprint ?? ''),
    )
    const again = await jpeg(sharp(covers[0]?.jpeg).resize(1400, 788).modulate({ brightness: 1.02 }))
    expect((await reviewImage(again, { unlike: prints })).reasons).toEqual(['repeats another picture'])
    const others = prints.filter((_, place) => place !== 0)
    expect((await reviewImage(again, { unlike: others })).reasons).toEqual([])
  })
})
