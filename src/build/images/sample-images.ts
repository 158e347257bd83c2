import { join } from 'node:path'
import type { WideImage } from '../../content/post-images.ts'
import { type CoverStyle, coverStyles } from '../../core/cover-styles.ts'
import type { AspectRatio } from '../../images/covers/cover.ts'
import type { NamedEdition } from '../../images/covers/editions.ts'
import type { KeptImages } from '../../images/image-cache.ts'
import type { MadeImages } from './made-images.ts'
import { assetFolder, placeFile, toPageImage } from './page-image.ts'

/** One title in every style; between them, the titles show every shape. */
const wishes: readonly { title: string; aspectRatio: AspectRatio }[] = [
  { title: 'The smallest honest shop', aspectRatio: '16:9' },
  { title: 'Who owns a river that has changed its mind?', aspectRatio: '4:3' },
  { title: 'What the mountain keeps', aspectRatio: '1:1' },
  { title: 'A protocol for paying machines', aspectRatio: '16:9' },
]

/** A picture as the embedded engine would sell it, with the request that it answers. */
export interface SampleImage {
  readonly title: string
  readonly style: CoverStyle
  readonly aspectRatio: AspectRatio
  readonly image: WideImage
}

/**
 * Pixels, enough for a screen of two pixels per point. It is painted no larger, because painting is most of the work.
 */
const width = 800
const widths = [400, width] as const

/** The samples of the image product in one build. */
export function openSamplePictures(images: MadeImages) {
  const asked: Promise<KeptImages>[] = []
  const make = async (title: string, style: CoverStyle, aspectRatio: AspectRatio): Promise<SampleImage> => {
    const made = images.getSold({ title, style, aspectRatio, width }, editionsOf(style))
    asked.push(made)
    return { title, style, aspectRatio, image: toWideImage(await made) }
  }
  const listFiles = async () => (await Promise.all(asked)).flatMap((made) => made.files)
  return {
    /** The samples, ordered by title and then by style; made now or taken from the cache. */
    get: (): Promise<readonly SampleImage[]> =>
      Promise.all(
        wishes.flatMap(({ title, aspectRatio }) => coverStyles.map((style) => make(title, style, aspectRatio))),
      ),
    /** The file names of the samples that pages have requested. */
    listNames: async (): Promise<string[]> => (await listFiles()).map(({ name }) => name),
    /** Writes the requested samples among the client files. */
    async write(client: string): Promise<void> {
      const files = await listFiles()
      const places = new Map(files.map(({ name, path }) => [name, path]))
      for (const [name, path] of places) placeFile(path, join(client, assetFolder, name))
    },
  }
}

const editionsOf = (style: CoverStyle): NamedEdition[] => [
  { purpose: `sample-${style}`, width, type: 'jpg', quality: 80 },
  ...widths.map((wide) => ({ purpose: `sample-${style}-${wide}`, width: wide, type: 'avif', quality: 46 }) as const),
]

function toWideImage({ alt, files: [whole, ...narrower] }: KeptImages): WideImage {
  if (!whole) throw new Error('a sample picture is missing; delete the folder .cache/images')
  const srcset = narrower.map((file) => `${toPageImage(file, alt).src} ${file.width}w`).join(', ')
  return { ...toPageImage(whole, alt), srcset }
}
