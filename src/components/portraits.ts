import type { ImageMetadata } from 'astro'
import { z } from 'zod'

/** Capital extensions are included, because cameras use them. */
const pictures = import.meta.glob<ImageMetadata>('/content/authors/*.{jpg,jpeg,png,webp,avif,JPG,JPEG,PNG,WEBP,AVIF}', {
  import: 'default',
})
const toSpelling = (path: string): string => path.normalize('NFC')

/** The picture in `content/authors` with this name, if there is one. */
export function findPortrait(name: string | undefined): Promise<ImageMetadata> | undefined {
  const isTheirs = (path: string): boolean => toSpelling(path) === toSpelling(`/content/authors/${name}`)
  return Object.entries(pictures).find(([path]) => isTheirs(path))?.[1]()
}

const fileSchema = z.object({ src: z.string() })

/**
 * Makes Astro remove the original files of portraits, as it does for pictures that pages show in other sizes. Otherwise
 * all would be published, with the metadata that cameras write into them. Call it before pages are rendered.
 */
export async function hidePortraits(): Promise<void> {
  const known = globalThis.astroAsset.staticImages ?? new Map()
  globalThis.astroAsset.staticImages = known
  for (const read of Object.values(pictures)) {
    const portrait = await read()
    // Reading properties of Astro's object itself would make Astro publish the original file.
    const { src } = fileSchema.parse({ ...(Reflect.get(portrait, 'clone') ?? portrait) })
    const originalSrcPath = z.string().optional().parse(Reflect.get(portrait, 'fsPath'))
    if (!known.has(src)) known.set(src, { originalSrcPath, transforms: new Map() })
  }
}
