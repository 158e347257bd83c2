import { copyFile, link } from 'node:fs/promises'
import type { PageImage } from '../../content/post-images.ts'
import type { KeptFile } from '../../images/image-cache.ts'

/** Below the client folder: what is in it may be kept for ever, because every name carries a hash. */
export const assetFolder = '_astro'

/** A kept file as pages name it. */
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

/** Puts a finished file at a second place, without a second copy where the file system can. Neither is ever written to. */
export const placeFile = (from: string, to: string): Promise<void> => link(from, to).catch(() => copyFile(from, to))
