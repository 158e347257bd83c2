import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { readPictureFile } from '../../src/components/picture-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'picture-file-'))
const path = join(folder, 'harbour.jpg')
const create = { width: 24, height: 16, channels: 3, background: 'teal' } as const
const metadata = { src: '/_astro/harbour.1.jpg', width: 2400, height: 1600, format: 'jpg', fsPath: path }

/** The object that a static page imports for a picture, as the installed Astro generates it. */
async function importPicture() {
  const { getProxyCode } = await import(
    /* @vite-ignore */ join(process.cwd(), 'node_modules/astro/dist/assets/utils/proxy.js')
  )
  const code = `export default ${getProxyCode(metadata, false)}`
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)).default
}

afterEach(() => vi.unstubAllGlobals())
afterAll(() => rmSync(folder, { recursive: true }))

it('the metadata of a picture can be read without publishing its file, which may contain its location', async () => {
  const referencedImages = new Set<string>()
  vi.stubGlobal('astroAsset', { referencedImages })
  await sharp({ create }).toFile(path)
  const picture = await importPicture()
  expect(await readPictureFile(picture)).toEqual({ width: 2400, height: 1600, format: 'jpg', isAnimated: false })
  expect([...referencedImages]).toEqual([])
  // Reading a property is how Astro decides to publish the file.
  expect(picture.width).toBe(2400)
  expect([...referencedImages]).toEqual([path])
})

/** A GIF animation with this number of frames, each of which changes one pixel. */
function makeFilm({ width, height, frames }: { width: number; height: number; frames: number }): Buffer {
  const head = Buffer.alloc(19, 'GIF89a')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  head.set([0x80, 0, 0, 0, 0, 0, 255, 255, 255], 10)
  const frame = Buffer.from('21f90404050000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

it('an animation may be long, because only a single frame has to fit the size limit', async () => {
  const film = makeFilm({ width: 1280, height: 720, frames: 300 })
  const fsPath = join(folder, 'film.gif')
  const file = { src: '', width: 1280, height: 720, format: 'gif' as const, fsPath }
  // With its trailer and without it, which browsers do not need.
  for (const bytes of [film, film.subarray(0, -1)]) {
    writeFileSync(fsPath, bytes)
    expect(await readPictureFile(file)).toMatchObject({ isAnimated: true })
  }
})

it('an AVIF is not decoded to its end if its boxes are complete, because decoding takes a quarter of a second', async () => {
  const fsPath = join(folder, 'harbour.avif')
  const whole = await sharp({ create }).avif().toBuffer()
  const file = { src: '', width: 24, height: 16, format: 'avif' as const, fsPath }
  // Pixel data that no decoder would accept.
  writeFileSync(fsPath, Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]))
  expect(await readPictureFile(file)).toMatchObject({ isAnimated: false })
  writeFileSync(fsPath, whole.subarray(0, -8))
  await expect(readPictureFile(file)).rejects.toThrow(/its end is missing/)
})
