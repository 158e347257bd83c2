import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { makeDeferredBuild } from '../support/deferred-build.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'

let site: RunningSite
let build: Awaited<ReturnType<typeof makeDeferredBuild>>
const slugs = readdirSync(join(buildFiles(testBuild()).client, 'posts'), { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name)

/** A post whose pictures the build leaves to the site, which draws them on request. */
const [deferred = ''] = slugs

beforeAll(async () => {
  build = await makeDeferredBuild(deferred)
  site = await startSite({
    facilitatorUrl: 'http://127.0.0.1:9',
    rpcUrl: 'http://127.0.0.1:9',
    build: build.folder,
  })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  build?.remove()
})

it('is tested with a build that lacks the seven pictures of a post', () => {
  expect(build.taken).toBe(7)
})

const textAt = async (path: string): Promise<string> => (await site.fetch(path)).text()

async function imageAt(address: string) {
  const answer = await site.fetch(address.replace(testBaseUrl, ''))
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([address, answer.status]).toEqual([address, 200])
  const { format, width, height, exif, xmp, iptc, icc } = await sharp(bytes, { failOn: 'warning' }).metadata()
  expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined])
  return { format, width, height, type: answer.headers.get('content-type'), cache: answer.headers.get('cache-control') }
}

const metaOf = (html: string, name: string): string =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? ''
const forever = 'public, max-age=31536000, immutable'

describe.each(slugs)('the post %s', (slug) => {
  it('shows a cover with a reserved size, in immutable files', async () => {
    const html = await textAt(`/posts/${slug}`)
    const [, srcset = '', src = '', width, height, alt] =
      /<picture class="cover">.*?srcset="([^"]+)".*?src="([^"]+)" width="(\d+)" height="(\d+)" alt="([^"]+)"/s.exec(
        html,
      ) ?? []
    expect(alt).toMatch(/\w/)
    expect(await imageAt(src)).toEqual({
      format: 'jpeg',
      width: Number(width),
      height: Number(height),
      type: 'image/jpeg',
      cache: forever,
    })
    for (const candidate of srcset.split(', ')) {
      const [address = '', described] = candidate.split(' ')
      const { format, width: real } = await imageAt(address)
      expect([format, `${real}w`]).toEqual(['heif', described])
    }
  })

  it('has a preview card whose size and content are described', async () => {
    const html = await textAt(`/posts/${slug}`)
    const address = metaOf(html, 'og:image')
    expect(address).toMatch(`${testBaseUrl}/`)
    expect(metaOf(html, 'twitter:image')).toBe(address)
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image')
    expect(metaOf(html, 'og:image:alt')).not.toBe('')
    expect([metaOf(html, 'og:image:width'), metaOf(html, 'og:image:height')]).toEqual(['1200', '630'])
    expect(await imageAt(address)).toMatchObject({ format: 'jpeg', width: 1200, height: 630, cache: forever })
  })

  it('embeds a square picture in its narration, which has no URL', async () => {
    const file = readFileSync(join(buildFiles(testBuild()).privateCovers, `${slug}.jpg`))
    expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 600 })
    expect((await site.fetch(`/private/covers/${slug}.jpg`)).status).toBe(404)
  })
})

it('gives every page a card', async () => {
  for (const path of ['/', '/about', '/agents', '/posts', '/apis/narrate', '/skills/x402-seller', '/search']) {
    const address = metaOf(await textAt(path), 'og:image')
    expect(await imageAt(address)).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  }
})

it('lists the pictures of posts in the feeds and in the data export', async () => {
  const feed = z
    .object({ items: z.array(z.object({ image: z.string() })) })
    .parse(JSON.parse(await textAt('/feed.json')))
  const rss = [...(await textAt('/rss.xml')).matchAll(/<media:content url="([^"]+)"/g)].map(([, url]) => url)
  expect(rss).toEqual(feed.items.map(({ image }) => image))
  const exported = readFileSync(join(buildFiles(testBuild()).privateTexts, 'posts-export.json'), 'utf8')
  expect([...exported.matchAll(/"image":"([^"]+)"/g)].map(([, url]) => url)).toEqual(rss)
  for (const address of rss) expect(await imageAt(address ?? '')).toMatchObject({ width: 1280, height: 720 })
})

it('has icons for every place that asks for one', async () => {
  const html = await textAt('/')
  for (const [name, side, format] of [
    ['/apple-touch-icon.png', 180, 'png'],
    ['/icon-192.png', 192, 'png'],
    ['/icon-512.png', 512, 'png'],
  ] as const) {
    expect(await imageAt(name)).toMatchObject({ width: side, height: side, format })
  }
  const ico = Buffer.from(await (await site.fetch('/favicon.ico')).arrayBuffer())
  expect(await sharp(ico.subarray(ico.readUInt32LE(18))).metadata()).toMatchObject({ width: 32, height: 32 })
  expect(await textAt('/favicon.svg')).toContain('prefers-color-scheme:dark')
  const manifest = z
    .object({ icons: z.array(z.object({ src: z.string() })) })
    .parse(JSON.parse(await textAt('/site.webmanifest')))
  for (const { src } of manifest.icons) expect((await site.fetch(src)).status).toBe(200)
  for (const href of ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png', '/site.webmanifest']) {
    expect(html).toContain(`href="${href}"`)
  }
})

it('has podcast artwork in the size that directories require', async () => {
  const name = readdirSync(buildFiles(testBuild()).client).find((file) => file.startsWith('podcast-artwork-')) ?? ''
  expect(await imageAt(`/${name}`)).toEqual({
    format: 'jpeg',
    width: 3000,
    height: 3000,
    type: 'image/jpeg',
    cache: forever,
  })
})
