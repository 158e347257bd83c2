import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import site from '../../../site.config.ts'
import type { PostImages } from '../../content/post-images.ts'
import { type CoverStyle, coverStyles } from '../../core/cover-styles.ts'
import { sha256 } from '../../core/sha256.ts'
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

/** Widths of a cover in pages. */
const widths = [480, 880, 1280] as const

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

function toPostImages({ id, data: { title } }: PicturedPost, images: KeptImages): PostImages {
  const file = (purpose: string) => getFile(images, id, purpose)
  const srcset = widths.map((width) => {
    const { name, width: real } = file(`${width}`)
    return `${encodeURI(`/${assetFolder}/${name}`)} ${real}w`
  })
  const lettered = `${title}, over a picture: ${images.alt}`
  return {
    cover: { ...toPageImage(file('cover'), images.alt), srcset: [...new Set(srcset)].join(', ') },
    card: toPageImage(file('card'), lettered),
    square: toPageImage(file('square'), lettered),
  }
}

function editionsOf({ id, data: { title } }: PicturedPost): NamedEdition[] {
  const lettering = { title, imprint: site.name, accent: site.accent.light }
  return [
    ...widths.map((width) => ({ purpose: `${id}-${width}`, width, type: 'avif', quality: 42 }) as const),
    { purpose: `${id}-cover`, width: 1280, type: 'jpg', quality: 80 },
    { purpose: `${id}-card`, width: 1200, height: 630, type: 'jpg', quality: 82, lettering },
    { purpose: `${id}-square`, width: 1400, height: 1400, type: 'jpg', quality: 80, lettering },
    { purpose: `${id}-tag`, width: 600, height: 600, type: 'jpg', quality: 80, lettering },
  ]
}

async function toSource({ id, filePath, data }: PicturedPost): Promise<EditionSource> {
  const { title, excerpt, cover, image } = data
  if (image && filePath !== undefined) {
    return { is: 'own', picture: await readFile(resolve(dirname(filePath), image.src)), alt: image.alt }
  }
  return { is: 'drawn', title, excerpt, style: cover?.style ?? styleOf(id) }
}

/** A style for each post, the same for good, whatever is published around it. */
const styleOf = (id: string): CoverStyle =>
  coverStyles[Number.parseInt(sha256(id).slice(0, 8), 16) % coverStyles.length] ?? coverStyles[0]

function getFile({ files }: KeptImages, id: string, purpose: string): KeptFile {
  const file = files.find(({ name }) => name.startsWith(`${id}-${purpose}-`))
  if (!file) throw new Error(`the picture ${id}-${purpose} is missing; delete the folder .cache/images`)
  return file
}
