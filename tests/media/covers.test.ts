import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import type { CoverStyle } from '../../src/core/cover-styles.ts'
import type { AspectRatio, CoverRequest } from '../../src/images/covers/cover.ts'
import { openCoverStudio } from '../../src/images/covers/make-cover.ts'

const studio = openCoverStudio({ threads: 2 })
afterAll(() => studio.close())

const styles: readonly CoverStyle[] = ['editorial-minimal', 'illustration', 'photographic']
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const title = 'The river that changed its mind'

it.each(styles)(
  'makes the same bytes for the same title in the %s style, whichever worker makes them',
  async (style) => {
    const other = openCoverStudio({ threads: 1 })
    const request: CoverRequest = { title, style, aspectRatio: '4:3', width: 480 }
    const made = await Promise.all([studio, other].map(({ makeCover }) => makeCover(request)))
    await other.close()
    expect(new Set(made.map(({ jpeg }) => hash(jpeg))).size).toBe(1)
  },
)

it('makes another picture for another title and for another attempt', async () => {
  const request: CoverRequest = { title, style: 'editorial-minimal', aspectRatio: '16:9' }
  const requests = [request, { ...request, attempt: 1 }, { ...request, title: 'Another' }]
  const made = await Promise.all(requests.map((each) => studio.makeCover(each)))
  expect(new Set(made.map(({ jpeg }) => hash(jpeg))).size).toBe(3)
})

it.each<[AspectRatio, number | undefined, number, number]>([
  ['16:9', undefined, 1600, 900],
  ['1:1', undefined, 1400, 1400],
  ['4:3', undefined, 1440, 1080],
  ['1:1', 3000, 3000, 3000],
  ['16:9', 640, 640, 360],
])('makes %s pictures, %s pixels wide when asked to, as JPEG without metadata', async (aspectRatio, width, ...size) => {
  const cover = await studio.makeCover({ title, style: 'editorial-minimal', aspectRatio, width })
  const found = await sharp(cover.jpeg).metadata()
  expect([found.format, found.width, found.height]).toEqual(['jpeg', ...size])
  expect([cover.width, cover.height]).toEqual(size)
  expect([found.exif, found.xmp, found.iptc, found.icc]).toEqual([undefined, undefined, undefined, undefined])
})

it.each(styles)('draws another picture for another seed in the %s style, and the same for the same', async (style) => {
  const request: CoverRequest = { title, style, aspectRatio: '1:1', width: 320 }
  const requests = [request, { ...request, seed: 1 }, { ...request, seed: 2 }, { ...request, seed: 1 }]
  const [own, first, second, again] = await Promise.all(requests.map((each) => studio.makeCover(each)))
  expect(new Set([own, first, second].map((made) => hash(made?.jpeg ?? new Uint8Array()))).size).toBe(3)
  expect(hash(again?.jpeg ?? new Uint8Array())).toBe(hash(first?.jpeg ?? new Uint8Array()))
})

it('has the quality that print needs: a colour for every pixel, and fine quantization', async () => {
  const { jpeg } = await studio.makeCover({ title: 'Bread', style: 'illustration', aspectRatio: '16:9', width: 320 })
  expect((await sharp(jpeg).metadata()).chromaSubsampling).toBe('4:4:4')
  // The quantization table follows its marker, its length and its number (ITU T.81, B.2.4.1).
  const table = Buffer.from(jpeg).indexOf(Buffer.from('ffdb', 'hex')) + 5
  const steps = [...jpeg.subarray(table, table + 64)]
  expect(steps.reduce((sum, step) => sum + step, 0) / 64).toBeLessThan(10)
})

it.each(styles)('draws bread for a title about bread in the %s style, whatever its excerpt mentions', async (style) => {
  const excerpt = 'A loaf for the sea, the ocean, its waves and its beaches.'
  const { alt, scene } = await studio.makeCover({ title: 'Bread', excerpt, style, aspectRatio: '16:9', width: 320 })
  expect([scene, alt.toLowerCase()]).toEqual(['bread', expect.stringContaining('a loaf of bread')])
})

it('describes in words what the picture shows', async () => {
  const cover = await studio.makeCover({ title: 'Tides', style: 'photographic', aspectRatio: '16:9', width: 480 })
  expect(cover.alt).toMatch(/^Rendered seascape/)
  expect(cover.scene).toBe('sea')
})

it('omits the lettering when a glyph is missing, and never draws an empty box', async () => {
  const cover = await studio.makeCover({ title: 'नदी का नाम', style: 'editorial-minimal', aspectRatio: '16:9' })
  expect(cover.alt).not.toContain('नदी')
})

it('stops when it is aborted', async () => {
  const request: CoverRequest = { title, style: 'photographic', aspectRatio: '16:9', width: 480 }
  await expect(studio.makeCover(request, { signal: AbortSignal.abort() })).rejects.toThrow()
  const soon = AbortSignal.timeout(30)
  await expect(studio.makeCover(request, { signal: soon })).rejects.toThrow()
  expect((await studio.makeCover({ ...request, width: 320 })).width).toBe(320)
})
