import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMadeImages } from '../../src/build/images/made-images.ts'
import { openPostPictures, type PicturedPost } from '../../src/build/images/post-images.ts'
import { readEntry } from '../../src/content/content-folder.ts'
import { missingFile } from '../../src/content/missing-file.ts'
import { postSchema } from '../../src/content/post-schema.ts'

let folder: string
const cache = () => join(folder, 'cache')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pictures-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const post = (id: string, title = `About ${id}`): PicturedPost => ({
  id,
  data: { title, excerpt: 'A sentence.', cover: { style: 'editorial-minimal' } },
})

/** One build: writes the pictures of these posts into a folder of its own. */
async function build(posts: readonly PicturedPost[], name = 'out') {
  const press = openMadeImages(cache())
  const pictures = openPostPictures(press)
  const out = join(folder, name)
  mkdirSync(join(out, 'client/_astro'), { recursive: true })
  const images = await Promise.all(posts.map((each) => pictures.get(each)))
  await pictures.write(out)
  await press.close()
  return { images, out, files: readdirSync(join(out, 'client/_astro')).sort() }
}

/** The modification time of each cached picture. */
const cached = () =>
  Object.fromEntries(
    readdirSync(cache()).map((name) => [name, statSync(join(cache(), name, 'files.json')).mtimeMs] as const),
  )

it("decodes a limited number of a publisher's pictures at once, and each once per build, however many pages use it", async () => {
  writeFileSync(
    join(folder, 'harbour.png'),
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  )
  const press = openMadeImages(cache())
  let [calls, running, most] = [0, 0, 0]
  const pictures = openPostPictures({
    ...press,
    async getEditions(...given) {
      calls++
      most = Math.max(most, ++running)
      return press.getEditions(...given).finally(() => running--)
    },
  })
  const posts = Array.from({ length: 20 }, (_, at): PicturedPost => {
    const image = { src: './harbour.png', alt: `The harbour on day ${at}` }
    return { id: `day-${at}`, filePath: join(folder, `day-${at}.mdx`), data: { title: 'A day', excerpt: '', image } }
  })
  await Promise.all([...posts, ...posts, ...posts].map((each) => pictures.get(each)))
  await press.close()
  expect([calls, most]).toEqual([20, 8])
})

describe('a build after a build', () => {
  it('draws only the pictures of a changed post', async () => {
    const first = await build([post('a'), post('b')])
    const before = cached()
    const second = await build([post('a'), post('b', 'Another title')], 'later')
    const after = cached()
    expect(Object.keys(before)).toHaveLength(2)
    expect(Object.keys(after)).toHaveLength(3)
    expect(after).toMatchObject(before)
    expect(second.images[0]).toEqual(first.images[0])
    expect(second.images[1]?.card.src).not.toBe(first.images[1]?.card.src)
  })

  it('removes pictures that no build has used for two months, and no others', async () => {
    await build([post('a'), post('b')])
    const [old = ''] = Object.keys(cached())
    const longAgo = new Date(Date.now() - 61 * 24 * 60 * 60 * 1000)
    utimesSync(join(cache(), old), longAgo, longAgo)
    await openMadeImages(cache()).close()
    expect(Object.keys(cached())).toHaveLength(1)
    expect(Object.keys(cached())).not.toContain(old)
  })
})

describe("a publisher's own picture", () => {
  const own = (src: string): PicturedPost => ({
    id: 'own',
    filePath: join(folder, 'own.mdx'),
    data: { title: 'Own', excerpt: 'A sentence.', image: { src, alt: 'A harbour at noon' } },
  })

  it('keeps its aspect ratio and its alternate text, and loses its metadata', async () => {
    await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#335577' } })
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toFile(join(folder, 'harbour.jpg'))
    const { images, out } = await build([own('./harbour.jpg')])
    expect(images[0]?.cover).toMatchObject({ width: 900, height: 1200, alt: 'A harbour at noon' })
    expect(images[0]?.cover.srcset.match(/\d+w/g)).toEqual(['480w', '720w', '880w', '900w'])
    expect(images[0]?.card).toMatchObject({ width: 1200, height: 630 })
    const file = readFileSync(join(out, 'client', images[0]?.cover.src ?? ''))
    expect(await sharp(file).metadata()).not.toHaveProperty('exif')
  })

  it('is published up to 2,400 pixels wide', async () => {
    const wide = { create: { width: 3000, height: 300, channels: 3, background: '#335577' } } as const
    await sharp(wide).jpeg().toFile(join(folder, 'harbour.jpg'))
    const { images } = await build([own('./harbour.jpg')])
    expect(images[0]?.cover.srcset.match(/\d+w/g)).toEqual(['480w', '720w', '880w', '1280w', '1760w', '2400w'])
  })

  it('fails the build with file and field when it is missing', () => {
    const data = { title: 'Own', excerpt: 'x', publishedAt: '2026-01-01', image: { src: './gone.jpg', alt: 'Gone' } }
    const read = () =>
      readEntry({ schema: postSchema, check: missingFile }, { id: 'own', data, file: join(folder, 'own.mdx') })
    expect(read).toThrow(/own\.mdx: image\.src names \.\/gone\.jpg, and there is no such file/)
  })

  it('fails the build with file and field when it is not an image', async () => {
    writeFileSync(join(folder, 'harbour.jpg'), '<html>not found</html>')
    await expect(build([own('./harbour.jpg')])).rejects.toThrow(/own\.mdx: image\.src cannot be read as a picture/)
  })

  it.each([
    [{ image: { src: './a.jpg' } }, 'image.alt is missing'],
    [
      { image: { src: 'https://example.com/a.jpg', alt: 'x' } },
      'image.src must be a path like ./pictures/harbour.jpg, to a JPEG, PNG, WebP or AVIF file',
    ],
    [{ cover: { style: 'baroque' } }, 'cover.style must be one of editorial-minimal, photographic, illustration'],
    [{ cover: { style: 'photographic' }, image: { src: './a.jpg', alt: 'x' } }, 'cover means nothing beside an image'],
  ])('is refused with a reason: %j', (fields, sentence) => {
    const data = { title: 'Own', excerpt: 'x', publishedAt: '2026-01-01', ...fields }
    const read = () => readEntry({ schema: postSchema }, { id: 'own', data, file: 'content/posts/own.mdx' })
    expect(read).toThrow(`content/posts/own.mdx: ${sentence}`)
  })
})
