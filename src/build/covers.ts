import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import site from '../../site.config.ts'
import type { Cover, CoverStyle } from '../media/covers/cover.ts'
import { type CoverStudio, openCoverStudio } from '../media/covers/make-cover.ts'
import { engineVersion } from '../media/covers/paint-cover.ts'
import { reviewImage } from '../media/image-review/review-image.ts'
import { makeIcons } from './icons.ts'
import { findOrMake, type ImageFiles, pruneImages } from './image-cache.ts'

/** A picture as a page shows it. */
export interface PageImage {
  readonly src: string
  readonly srcset: string
  readonly width: number
  readonly height: number
  readonly alt: string
}

/** The pictures of one post: over its text, and where it is linked to. */
export interface PostImages {
  readonly cover: PageImage
  readonly card: PageImage
}

interface PostFacts {
  readonly id: string
  readonly title: string
  readonly excerpt: string
}

const widths = [480, 960, 1600] as const
const cardSize = { width: 1200, height: 630 }
const maxAttempts = 3

let studio: CoverStudio | undefined
const makeImages = () => (studio ??= openCoverStudio({ threads: availableParallelism() }))
/** What pages of this build named; the same promise for every page. */
const named = new Map<string, Promise<ImageFiles>>()

/** Bytes also depend on who encodes them. */
const madeBy = [engineVersion, sharp.versions.sharp ?? '', sharp.versions.vips] as const

function once(name: string, inputs: readonly (string | number)[], make: Parameters<typeof findOrMake>[2]) {
  const key = JSON.stringify([name, ...inputs])
  const known = named.get(key) ?? findOrMake(name, [...madeBy, ...inputs], make)
  named.set(key, known)
  return known
}

/** One look for the whole press, and the one that costs readers least: 2 to 5 kB in a list, 0.4 s to make. */
const style: CoverStyle = 'editorial-minimal'

/** A post's cover without lettering, because the page sets the title, and its card with it. */
export async function getPostImages({ id, title, excerpt }: PostFacts): Promise<PostImages> {
  const cover = once(id, ['cover', title, excerpt, style, ...widths], async () => {
    const made = await makeReviewed({ title, excerpt })
    const files = widths.map(async (width) => {
      const small = await sharp(made.jpeg)
        .resize({ width })
        .webp({ quality: width === widths[0] ? 50 : 62, effort: 5 })
        .toBuffer()
      return { bytes: small, width, height: Math.round((made.height * width) / made.width), type: 'webp' as const }
    })
    return { alt: made.alt, files: await Promise.all(files) }
  })
  const card = getCard(id, title)
  return { cover: toPageImage(await cover, 960), card: await card }
}

/** The first attempt that passes the review; a site is not left without a picture, so the last one stands. */
async function makeReviewed(post: Omit<PostFacts, 'id'>): Promise<Cover> {
  for (let attempt = 0; ; attempt += 1) {
    const cover = await makeImages().makeCover({ ...post, style, aspectRatio: '16:9', hasLettering: false, attempt })
    const { pass } = await reviewImage(cover.jpeg, { aspect: 16 / 9 })
    if (pass || attempt + 1 >= maxAttempts) return cover
  }
}

async function getCard(id: string, title: string): Promise<PageImage> {
  const files = await once(`${id}-card`, ['card', title, site.name], async () => {
    const { jpeg, alt } = await makeImages().makeCard({ title, imprint: site.name, ...cardSize })
    return { alt, files: [{ bytes: jpeg, ...cardSize, type: 'jpg' }] }
  })
  return toPageImage(files, cardSize.width)
}

/** The card of the site itself and the artwork of its podcast, 3000 pixels square as directories ask. */
export async function getSiteImages(): Promise<{ card: PageImage; artwork: PageImage }> {
  const title = `${site.name}: ${site.tagline.charAt(0).toLowerCase()}${site.tagline.slice(1)}`
  const artwork = once('podcast', ['artwork', site.name], async () => {
    const { jpeg, alt, width, height } = await makeImages().makeCover({
      title: site.name,
      style: 'editorial-minimal',
      aspectRatio: '1:1',
      width: 3000,
    })
    return { alt, files: [{ bytes: jpeg, width, height, type: 'jpg' }] }
  })
  return { card: await getCard('site', title), artwork: toPageImage(await artwork, 3000) }
}

const urlOf = (name: string) => `/_astro/${name}`

function toPageImage({ alt, files }: ImageFiles, width: number): PageImage {
  const shown = files.find((file) => file.width === width)
  if (!shown) throw new Error(`a picture ${width} pixels wide is missing; delete the folder .astro/covers`)
  return {
    src: urlOf(shown.name),
    srcset: files.map((file) => `${urlOf(file.name)} ${file.width}w`).join(', '),
    width: shown.width,
    height: shown.height,
    alt,
  }
}

/** Puts every picture that a page named among the client files, and the site's icons. Ends the worker threads. */
export async function writeImages(client: string): Promise<void> {
  await mkdir(join(client, '_astro'), { recursive: true })
  const pictures = await Promise.all(named.values())
  const files = pictures.flatMap((picture) => picture.files)
  await Promise.all(files.map(({ path, name }) => copyFile(path, join(client, '_astro', name))))
  for (const [name, bytes] of await makeIcons()) await writeFile(join(client, name), bytes)
  await pruneImages(new Date())
  await studio?.close()
  studio = undefined
}

/** The file behind an image's URL, for the development server, which has no client folder. */
export async function findImageFile(name: string): Promise<string | undefined> {
  const pictures = await Promise.all(named.values())
  return pictures.flatMap(({ files }) => files).find((file) => file.name === name)?.path
}
