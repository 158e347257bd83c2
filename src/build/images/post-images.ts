import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import site from '../../../site.config.ts'
import type { PostImages } from '../../content/post-images.ts'
import { type CoverStyle, coverStyles } from '../../core/cover-styles.ts'
import type { EditionSource } from '../../images/covers/editions.ts'
import { buildFiles } from '../../storage/build-folder.ts'
import type { KeptFile, KeptImages } from './image-cache.ts'
import type { MadeImages, NamedEdition } from './made-images.ts'
import { assetFolder, placeFile, toPageImage } from './page-image.ts'

/** What a post's pictures follow from. */
export interface PicturedPost {
  readonly id: string
  readonly filePath?: string | undefined
  readonly data: {
    readonly title: string
    readonly excerpt: string
    readonly cover?: { readonly style: CoverStyle } | undefined
    readonly image?: { readonly src: string; readonly alt: string } | undefined
  }
}

/** Editions of a cover in pages; no file is wider than its picture. Below these qualities the larger ones lose their grain. */
const editions = [
  { width: 480, quality: 44 },
  { width: 880, quality: 52 },
  { width: 1280, quality: 58 },
] as const
/** More of a publisher's own picture, which may be a large one. */
const ownEditions = [...editions, { width: 1760, quality: 58 }, { width: 2400, quality: 58 }] as const

const editionsFor = ({ data: { image } }: PicturedPost) => (image ? ownEditions : editions)

/** The pictures of the posts of one build. */
export function openPostPictures(images: MadeImages) {
  const asked = new Map<string, Promise<KeptImages>>()
  return {
    /** Made now, or by an earlier build. */
    async get(post: PicturedPost): Promise<PostImages> {
      const made = makeImages(images, post)
      asked.set(post.id, made)
      return toPostImages(post, await made)
    },
    /** Puts what was asked for among the client files, and pictures for recordings where no URL reaches. */
    async write(outDir: string): Promise<void> {
      const { client, privateCovers } = buildFiles(outDir)
      await mkdir(privateCovers, { recursive: true })
      for (const [id, made] of asked) {
        const images = await made
        const tag = getFile(images, id, 'tag')
        await placeFile(tag.path, join(privateCovers, `${id}.jpg`))
        const shown = images.files.filter(({ name }) => name !== tag.name)
        await Promise.all(shown.map(({ path, name }) => placeFile(path, join(client, assetFolder, name))))
      }
    },
  }
}

async function makeImages(images: MadeImages, post: PicturedPost): Promise<KeptImages> {
  const source = await toSource(post)
  const made = images.getEditions(source, editionsOf(post))
  if (source.is === 'drawn') return await made
  return await made.catch((cause: unknown) => {
    throw new Error(`${post.filePath}: image.src cannot be read as a picture`, { cause })
  })
}

function toPostImages(post: PicturedPost, images: KeptImages): PostImages {
  const { id, data } = post
  const { title } = data
  const file = (purpose: string) => getFile(images, id, purpose)
  // A narrow picture has the same width in several editions; the first is the lightest.
  const byWidth = new Map(
    editionsFor(post)
      .map(({ width }) => file(`${width}`))
      .toReversed()
      .map(({ name, width }) => [width, `${encodeURI(`/${assetFolder}/${name}`)} ${width}w`]),
  )
  const srcset = [...byWidth].toReversed().map(([, candidate]) => candidate)
  const lettered = `${title}, over a picture: ${images.alt}`
  return {
    cover: { ...toPageImage(file('cover'), images.alt), srcset: srcset.join(', ') },
    card: toPageImage(file('card'), lettered),
    square: toPageImage(file('square'), lettered),
  }
}

function editionsOf(post: PicturedPost): NamedEdition[] {
  const { id, data } = post
  const { title } = data
  const lettering = { title, imprint: site.name, accent: site.accent.light }
  return [
    ...editionsFor(post).map((edition) => ({ purpose: `${id}-${edition.width}`, type: 'avif', ...edition }) as const),
    { purpose: `${id}-cover`, width: 1280, type: 'jpg', quality: 80 },
    { purpose: `${id}-card`, width: 1200, height: 630, type: 'jpg', quality: 82, lettering },
    { purpose: `${id}-square`, width: 1400, height: 1400, type: 'jpg', quality: 80, lettering },
    { purpose: `${id}-tag`, width: 600, height: 600, type: 'jpg', quality: 80, lettering },
  ]
}

async function toSource({ filePath, data }: PicturedPost): Promise<EditionSource> {
  const { title, excerpt, cover, image } = data
  if (image && filePath !== undefined) {
    return { is: 'own', picture: await readFile(resolve(dirname(filePath), image.src)), alt: image.alt }
  }
  return { is: 'drawn', title, excerpt, style: cover?.style ?? coverStyles[0] }
}

function getFile({ files }: KeptImages, id: string, purpose: string): KeptFile {
  const file = files.find(({ name }) => name.startsWith(`${id}-${purpose}-`))
  if (!file) throw new Error(`the picture ${id}-${purpose} is missing; delete the folder .cache/images`)
  return file
}
