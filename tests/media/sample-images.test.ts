import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { openMadeImages } from '../../src/build/images/made-images.ts'
import { openSamplePictures } from '../../src/build/images/sample-images.ts'
import { reviewImage } from '../../src/images/review/review-image.ts'

const folder = mkdtempSync(join(tmpdir(), 'samples-'))
// Pictures that the build under test has drawn with the same code are reused.
const drawn = fileURLToPath(new URL('../../.cache/images/', import.meta.url))
if (existsSync(drawn)) cpSync(drawn, join(folder, 'cache'), { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One build that writes its samples into a client folder of its own. */
async function build(name: string) {
  const press = openMadeImages(join(folder, 'cache'))
  const pictures = openSamplePictures(press)
  const client = join(folder, name)
  mkdirSync(join(client, '_astro'), { recursive: true })
  const samples = await pictures.get()
  await pictures.write(client)
  await press.close()
  return { samples, client }
}

/** The modification time of each picture in the cache. */
const made = () =>
  readdirSync(join(folder, 'cache')).map((name) => [name, statSync(join(folder, 'cache', name, 'files.json')).mtimeMs])

it('shows four titles in every style and every shape, each good enough to sell, and draws them only once', async () => {
  const { samples, client } = await build('first')
  expect(samples).toHaveLength(12)
  expect(new Set(samples.map(({ aspectRatio }) => aspectRatio))).toEqual(new Set(['16:9', '4:3', '1:1']))
  for (const { title, style, aspectRatio, image } of samples) {
    const [wide = 1, high = 1] = aspectRatio.split(':').map(Number)
    const review = await reviewImage(readFileSync(join(client, image.src)), { aspect: wide / high, minShortSide: 450 })
    expect([title, style, review.reasons]).toEqual([title, style, []])
    expect(Math.abs((image.width * high) / (image.height * wide) - 1)).toBeLessThan(0.01)
    for (const candidate of image.srcset.split(', '))
      expect(readFileSync(join(client, candidate.split(' ')[0] ?? '')).toString('latin1')).toContain('ftypavif')
    expect(image.alt).toMatch(/\w/)
  }
  const before = made()
  expect((await build('second')).samples).toEqual(samples)
  expect(made()).toEqual(before)
})
