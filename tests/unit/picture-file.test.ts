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

/** The object that a page of a static build gets for a picture beside it, as the installed Astro writes it. */
async function importPicture() {
  const { getProxyCode } = await import(
    /* @vite-ignore */ join(process.cwd(), 'node_modules/astro/dist/assets/utils/proxy.js')
  )
  const code = `export default ${getProxyCode(metadata, false)}`
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)).default
}

afterEach(() => vi.unstubAllGlobals())
afterAll(() => rmSync(folder, { recursive: true }))

it('is read without the file being published, which the camera may have written the place into', async () => {
  const referencedImages = new Set<string>()
  vi.stubGlobal('astroAsset', { referencedImages })
  await sharp({ create }).toFile(path)
  const picture = await importPicture()
  expect(await readPictureFile(picture)).toEqual({ width: 2400, height: 1600, format: 'jpg', isAnimated: false })
  expect([...referencedImages]).toEqual([])
  // This is how Astro comes to publish it.
  expect(picture.width).toBe(2400)
  expect([...referencedImages]).toEqual([path])
})

/** A film as GIF of so many frames, in each of which one point changes. */
function makeFilm({ width, height, frames }: { width: number; height: number; frames: number }): Buffer {
  const head = Buffer.alloc(19, 'GIF89a')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  head.set([0x80, 0, 0, 0, 0, 0, 255, 255, 255], 10)
  const frame = Buffer.from('21f90404050000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

it('a film may be long: only each of its frames has to be small enough for a picture', async () => {
  const film = makeFilm({ width: 1280, height: 720, frames: 300 })
  const fsPath = join(folder, 'film.gif')
  const file = { src: '', width: 1280, height: 720, format: 'gif' as const, fsPath }
  // With the end of its file, and without it, which browsers do not miss.
  for (const bytes of [film, film.subarray(0, -1)]) {
    writeFileSync(fsPath, bytes)
    expect(await readPictureFile(file)).toMatchObject({ isAnimated: true })
  }
})

it('an AVIF is not read to its end where its boxes tell that it is there: each costs a build a quarter of a second', async () => {
  const fsPath = join(folder, 'harbour.avif')
  const whole = await sharp({ create }).avif().toBuffer()
  const file = { src: '', width: 24, height: 16, format: 'avif' as const, fsPath }
  // Points that no reader would take.
  writeFileSync(fsPath, Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]))
  expect(await readPictureFile(file)).toMatchObject({ isAnimated: false })
  writeFileSync(fsPath, whole.subarray(0, -8))
  await expect(readPictureFile(file)).rejects.toThrow(/its end is missing/)
})
