import { join } from 'node:path'
import { type CoverStyle, coverStyles } from '../../cover-styles.ts'
import type { AspectRatio } from '../../media/covers/cover.ts'
import type { WideImage } from '../../publishing/post-images.ts'
import type { KeptImages } from './image-cache.ts'
import type { ImagePress, NamedEdition } from './image-press.ts'
import { assetFolder, toPageImage } from './page-image.ts'
import { placeFile } from './place-file.ts'

/** One title in every style; between them, the titles show every shape. */
const wishes: readonly { title: string; aspectRatio: AspectRatio }[] = [
  { title: 'The smallest honest shop', aspectRatio: '16:9' },
  { title: 'Who owns a river that has changed its mind?', aspectRatio: '4:3' },
  { title: 'What the mountain keeps', aspectRatio: '1:1' },
  { title: 'A protocol for paying machines', aspectRatio: '16:9' },
]

/** What the embedded engine would sell, with what was asked for. */
export interface SampleImage {
  readonly title: string
  readonly style: CoverStyle
  readonly aspectRatio: AspectRatio
  readonly image: WideImage
}

/** As wide as a screen of two pixels per point needs it; painted no larger, because that is most of the work. */
const width = 800
const widths = [400, width] as const

/** The samples of a build. */
export interface SamplePictures {
  /** By title, and then by style. Made now, or by an earlier build. */
  readonly get: () => Promise<readonly SampleImage[]>
  /** Puts them among the client files when a page has asked for them. */
  readonly write: (client: string) => Promise<void>
}

/** Opens the samples of the image product. */
export function openSamplePictures(press: ImagePress): SamplePictures {
  const asked: Promise<KeptImages>[] = []
  const make = async (title: string, style: CoverStyle, aspectRatio: AspectRatio): Promise<SampleImage> => {
    const made = press.getSold({ title, style, aspectRatio, width }, editionsOf(style))
    asked.push(made)
    return { title, style, aspectRatio, image: toWideImage(await made) }
  }
  return {
    get: () =>
      Promise.all(
        wishes.flatMap(({ title, aspectRatio }) => coverStyles.map((style) => make(title, style, aspectRatio))),
      ),
    async write(client) {
      const files = (await Promise.all(asked)).flatMap((made) => made.files)
      const places = new Map(files.map(({ name, path }) => [name, path]))
      await Promise.all([...places].map(([name, path]) => placeFile(path, join(client, assetFolder, name))))
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
