import { copyFileSync, linkSync } from 'node:fs'
import type { PageImage } from '../../content/post-images.ts'
import type { KeptFile } from '../../images/image-cache.ts'

/** The folder below the client folder whose files may be cached without limit, because every name contains a hash. */
export const assetFolder = '_astro'

/** A cached picture file as pages refer to it. */
export const toPageImage = (
  { name, width, height, bytes }: Pick<KeptFile, 'name' | 'width' | 'height'> & Partial<Pick<KeptFile, 'bytes'>>,
  alt: string,
): PageImage => ({
  src: encodeURI(`/${assetFolder}/${name}`),
  width,
  height,
  ...(bytes !== undefined && { bytes }),
  alt,
})

/**
 * Puts a finished file at a second path, as a hard link where the file system allows it, otherwise as a copy. Neither
 * may be written to afterwards. It blocks, which takes a fraction of the time of handing a link to another thread.
 */
export function placeFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // The file system has no hard links, or the paths lie on two of them.
    copyFileSync(from, to)
  }
}
