import type { ImageMetadata } from 'astro'
import { z } from 'zod'

/** Cameras write their names in capitals. */
const pictures = import.meta.glob<ImageMetadata>('/content/authors/*.{jpg,jpeg,png,webp,avif,JPG,JPEG,PNG,WEBP,AVIF}', {
  import: 'default',
})
const toSpelling = (path: string): string => path.normalize('NFC')

/** The picture of `content/authors` that has this name, if there is one. */
export function findPortrait(name: string | undefined): Promise<ImageMetadata> | undefined {
  const isTheirs = (path: string): boolean => toSpelling(path) === toSpelling(`/content/authors/${name}`)
  return Object.entries(pictures).find(([path]) => isTheirs(path))?.[1]()
}

const fileSchema = z.object({ src: z.string() })

/**
 * Has Astro remove the files of portraits that no page shows, as it does with those of which pages show other sizes: all
 * come among the files for browsers, with what a camera wrote into them. To be called before pages are rendered.
 */
export async function hidePortraits(): Promise<void> {
  const known = globalThis.astroAsset.staticImages ?? new Map()
  globalThis.astroAsset.staticImages = known
  for (const read of Object.values(pictures)) {
    const portrait = await read()
    // Who asks Astro's object itself shows the file as it is.
    const { src } = fileSchema.parse({ ...(Reflect.get(portrait, 'clone') ?? portrait) })
    const originalSrcPath = z.string().optional().parse(Reflect.get(portrait, 'fsPath'))
    if (!known.has(src)) known.set(src, { originalSrcPath, transforms: new Map() })
  }
}
