import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { readPictureFile } from '../../src/components/picture-file.ts'

const path = '/content/posts/harbour.jpg'
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

it('is read without the file being published, which the camera may have written the place into', async () => {
  const referencedImages = new Set<string>()
  vi.stubGlobal('astroAsset', { referencedImages })
  const picture = await importPicture()
  expect(readPictureFile(picture)).toEqual({ width: 2400, height: 1600, format: 'jpg' })
  expect([...referencedImages]).toEqual([])
  // This is how Astro comes to publish it.
  expect(picture.width).toBe(2400)
  expect([...referencedImages]).toEqual([path])
})
