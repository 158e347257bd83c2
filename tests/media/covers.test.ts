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

it('says in words what is to be seen', async () => {
  const cover = await studio.makeCover({ title: 'Tides', style: 'photographic', aspectRatio: '16:9', width: 480 })
  expect(cover.alt).toMatch(/^Rendered seascape/)
  expect(cover.scene).toBe('sea')
})

it('leaves the lettering out where a letter is missing, and never draws an empty box', async () => {
  const cover = await studio.makeCover({ title: 'नदी का नाम', style: 'editorial-minimal', aspectRatio: '16:9' })
  expect(cover.alt).not.toContain('नदी')
})

it('stops when it is told to', async () => {
  const request: CoverRequest = { title, style: 'photographic', aspectRatio: '16:9', width: 480 }
  await expect(studio.makeCover(request, { signal: AbortSignal.abort() })).rejects.toThrow()
  const soon = AbortSignal.timeout(30)
  await expect(studio.makeCover(request, { signal: soon })).rejects.toThrow()
  expect((await studio.makeCover({ ...request, width: 320 })).width).toBe(320)
})
